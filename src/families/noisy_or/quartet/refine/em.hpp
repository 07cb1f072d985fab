// The M-step and the score: maximum a posteriori parameters of a given structure.
//
// Priors of the parameters (pseudo-counts): a failure has two cases of failing and six of not; a
// leak half a case of leaking, without which a leak that was never seen costs 14 nats in new rows;
// a prior half a case each way. Without them small samples lose causes.
//
//   f_{U,a} = (S - A + 2) / (S + 8),   S = rows with U and a seen, A = (1 - f) E[U switched a on]
//   leak_a  = (leak E[leak switched a on] + 1/2) / (rows of a + 1/2)
//   p_U     = (present + 1/2) / (N + 1)
//
// Where there are too many causes for a table of their states, one iteration in ten or fewer
// searches the rows for the states that matter, and so does the last; the others sum the states
// that were found (expect_again in expectation.hpp). EM does not end by what such a search tells
// beyond the states found before it. An EM that was interrupted goes on from its last search.
//
// Cost: an E-step an iteration, which N rows share among all ranks and threads, and the sum of its
// 2 E + n + m numbers over the ranks: of 1,000 ranks with few rows each, that sum limits.
#pragma once

#include <functional>
#include <memory>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/edge_significance.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"

namespace orrery::quartet {

/// Beta(failures + 1, successes + 1) of every failure.
struct FailurePrior {
  double failures = constants::refinement::pseudo_failures;
  double successes = constants::refinement::pseudo_successes;
  /// Logarithm of its density.
  [[nodiscard]] double log_density(double failure) const;
};

struct Fit {
  model::NoisyOrNetwork network;
  double log_likelihood = 0;  ///< of all rows
  double log_posterior = 0;   ///< with the parameters' priors
  double n_truncated = 0;
  int iterations = 0;
  double n_states = 0;                     ///< Expectation::n_states of all iterations
  double last_gain = 0;                    ///< of the last iteration
  std::shared_ptr<const EdgeTests> tests;  ///< of this network, once somebody asked for them
  std::shared_ptr<const Expectation> expectation;  ///< of this network, if it is known
};

struct FitOptions {
  int max_iterations = 100;
  double tolerance = 0.01;  ///< stops when an iteration gains less, nats over all rows
  FailurePrior prior;
  double state_tolerance = constants::refinement::state_tolerance;
  /// Called before each iteration, or two of them that belong together, if set, with what there was
  /// at the last search of the rows: an EM that goes on from there takes the same steps
  /// (checkpoints).
  std::function<void(const Fit& so_far)> pause;
  /// EM ends where this says so of what there is after an iteration, if it is set: it does not
  /// search the rows any more.
  std::function<bool(const Fit& so_far)> gives_up;
};

/// One step; the log posterior does not fall by it (Dempster, Laird, Rubin 1977).
model::NoisyOrNetwork maximize(const model::NoisyOrNetwork& network, const Expectation& expectation,
                               const FailurePrior& prior);
double log_parameter_prior(const model::NoisyOrNetwork& network, const FailurePrior& prior);

/// EM from `start`. Where it may take 20 iterations, two of three steps lead to an extrapolated
/// one, unless that is worse (extrapolation.hpp). Collective.
Fit fit(const learning::RowPass& rows, model::NoisyOrNetwork start, const FitOptions& options);
/// EM that goes on from what it came to, on the same rows and with the same tolerance of states.
/// Collective.
Fit go_on(const learning::RowPass& rows, Fit begun, const FitOptions& options);

/// What a cause and an edge must gain, nats: half a logarithm of the rows for each parameter (BIC),
/// and the logarithm of what it was chosen from: 1 / alpha for a cause, sqrt(m) for an edge.
struct Penalty {
  double cause = 0;
  double edge = 0;
  Penalty(std::uint64_t n_rows, std::size_t n_observed, double alpha);
};
double score(const Fit& fit, const Penalty& penalty);

/// Beta by moments (empirical Bayes): of the failures as they were without the prior `used`, less
/// what their sampling adds to the variance (an edge seen n times: f (1 - f) / n).
FailurePrior empirical_prior(const model::NoisyOrNetwork& network, const Expectation& expectation,
                             const FailurePrior& used);

}  // namespace orrery::quartet
