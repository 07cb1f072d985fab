// EM of a noisy-OR network of causes that depend on one another: all parameters and the network of
// the causes at once.
//
//   1 - failure   E[rows in which c switched a on] / rows with the cause on and a seen
//   leak          as in em.hpp
//   causes        learn_graph of the expected pairs: a forest, learned anew with every step; with
//   second
//                 parents, learned in the first pass, whose probabilities every step sets anew
//
// Incremental (Neal and Hinton 1998): after a first pass there is an M-step for each part of the
// rows, whose sums take the place of those that it had in the pass before.
//
// Cost: a pass over the rows an iteration.
#pragma once

#include <functional>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "families/noisy_or/quartet/growth/grown_sums.hpp"

namespace orrery::quartet {

struct GrownFitOptions {
  int passes = 4;        ///< with the first; at most
  double tolerance = 0;  ///< stops when a pass gains less, nats over all rows
  EdgePrice tie_price;   ///< of an edge among the causes
  bool second_parents = false;
  /// A step goes so much further than EM's, in logarithms of strengths (Salakhutdinov and Roweis
  /// 2003).
  double stride = 1.5;
  model::BeamOptions beam;
  std::function<void()> pause;  ///< called before each part, if set
};

struct GrownFit {
  Grown grown;
  double log_likelihood = 0;  ///< by the parameters with which each part was seen last
  double n_truncated = 0;
};

/// EM from `start`.
GrownFit fit(const PartedRows& rows, Grown start, const GrownFitOptions& options);
/// All sums over all rows.
std::vector<double> expect(const PartedRows& rows, const Grown& grown,
                           const model::BeamOptions& options, const SumPlaces& at);
/// The log likelihood of all rows.
double log_likelihood(const PartedRows& rows, const Grown& grown,
                      const model::BeamOptions& options);

}  // namespace orrery::quartet
