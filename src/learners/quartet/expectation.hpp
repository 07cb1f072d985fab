// The E-step: what the rows expect of causes, edges and leaks under given parameters; and the tests
// that one more pass affords, of edges that could go and of edges that are missing.
//
//   symbol                                                             code
//   sum_r P(U on | row r)                                              present
//   sum over rows with a on of E[u_U / P(a on | causes)]               shared, an edge
//   sum over rows with a on of E[1 / P(a on | causes)]                 inverse
//
// Cost: N rows of a RowPosterior (see there); RowPass adds the sums.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orrery/learners/row_pass.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// States that weigh less than this share of a row's heaviest are left out: of what is kept, and of
/// what is tried.
inline constexpr double state_tolerance = 1e-7;
inline constexpr double trial_tolerance = 1e-4;

struct Expectation {
  double log_likelihood = 0;  ///< of all rows, nats
  double n_rows = 0;
  double n_truncated = 0;       ///< rows whose posterior is an approximation
  std::vector<double> present;  ///< a cause
  std::vector<double> shared;   ///< an edge
  std::vector<double> inverse;  ///< a variable
  std::vector<double> unseen;   ///< an edge: sum of P(U on | row) over rows without the variable
  std::vector<double> rows_observed;  ///< a variable
};

/// Collective.
Expectation expect(const learners::RowPass& rows, const model::NoisyOrNetwork& network,
                   double tolerance = state_tolerance);

/// Failures that a missing edge is tried with. The slope at 1 tells weak edges; of a strong one it
/// tells too little (k rows that only it explains: k/2 by slope^2 / (2 variance), however unlikely
/// they are without it).
inline constexpr std::array<double, 3> tried_failures{.2, .5, .8};

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

/// One pass. Memory: 48 (5 n m + n^2) + 48 n m bytes a thread. Collective.
EdgeTests test_edges(const learners::RowPass& rows, const model::NoisyOrNetwork& network,
                     double tolerance = state_tolerance);

/// The most that an edge which is not there promises, nats, and the failure it would have.
struct Addition {
  double gain = 0;
  double failure = 1;
};

/// The better of the score test (slope^2 / 2 variance, Rao 1948) and the tried failures; `at` is
/// cause x m + variable.
Addition best_addition(const EdgeTests& tests, std::size_t at);

}  // namespace orrery::quartet
