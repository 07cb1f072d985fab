// EM for the tables of a network whose edges are given.
#pragma once

#include <cstdint>

#include "families/categorical/structural_em/expected_counts.hpp"
#include "families/categorical/structural_em/score.hpp"

namespace orrery::structural_em {

struct FitSettings {
  ScoreSettings score;
  std::uint64_t max_passes = 200;  ///< M-steps
  double tolerance = 1e-6;         ///< EM ends when a pass gains less, nats per row
};

struct Fit {
  model::CategoricalNetwork network;
  // Of `network`, once a pass has been made.
  double objective = 0;  ///< penalised likelihood
  double score = 0;
  std::uint64_t n_passes = 0;  ///< E-steps
  bool is_done = false;
  bool has_converged = false;
};

/// The M-step: the network with its tables and priors at the posterior means of `counts`, and the
/// variables' pseudocounts.
[[nodiscard]] model::CategoricalNetwork maximise(const model::CategoricalNetwork& network,
                                                 const ExpectedCounts& counts, double alpha);

/// An E-step, which scores fit.network, then an M-step unless that was the last pass. Collective.
void advance(const Data& data, const FitSettings& settings, Fit& fit);

}  // namespace orrery::structural_em
