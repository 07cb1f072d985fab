// What a change of one edge or cause would do to the likelihood, everything else as it is: of edges
// and causes that could go, and of edges that are missing.
//
// Cost: one pass of N rows of a RowPosterior (see there), and for each variable that is on and each
// cause that may be present five multiplications.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "learning/row_sums.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// What would change the log-likelihood, everything else as it is.
struct EdgeTests {
  /// log-likelihood ratio of the network without this edge; an edge, exact.
  std::vector<double> without_edge;
  /// The same without this cause.
  std::vector<double> without_cause;
  /// First derivative by 1 - failure of an edge that is not there, and the sum of its squares over
  /// rows (its variance); n x m, 0 where there is an edge.
  std::vector<double> slope;
  std::vector<double> variance;
  /// log-likelihood ratio of the network with an edge of tried_failures[k] that is not there,
  /// exact; n x m, 0 where there is an edge.
  std::array<std::vector<double>, 3> with_edge;
  /// sum_r P(U | row) P(V | row), n x n.
  std::vector<double> together;
  std::vector<double> present;
};

/// One pass. Memory: 48 (5 n m + n^2) + 48 n m bytes per thread. Collective.
EdgeTests test_edges(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                     double tolerance = constants::refinement::state_tolerance);

/// The most that an edge which is not there promises, nats, and the failure it would have.
struct Addition {
  double gain = 0;
  double failure = 1;
};

/// The better of the score test (slope^2 / 2 variance, Rao 1948) and the tried failures; `at` is
/// cause x m + variable.
Addition best_addition(const EdgeTests& tests, std::size_t at);

}  // namespace orrery::quartet
