// Loadings by maximum likelihood, P(Y) held fixed (Halpern, Horng, Sontag 2015, App. F.3).
//
//   paper                 code
//   q(y)                  draws from P(Y | row): exact where the row's sum is cheap, else Gibbs
//   outer E-step          n_draws states per row, in each step anew (a chain goes on from the state
//                         where the last step left it)
//   A_j, Eq. (24)         the first cause, the leak before all, that switches x_j on
//   Eq. (25)              f = 1 - successes / tries (family_likelihood.hpp: departures)
//
// What a step tells. F.3 bounds log P(X) by E_q[log P(x, y)] + H(q) (as printed, "- log P(y)" where
// - log q(y) is meant). Draws tell the first term, not the entropy. Where every row's sum is exact
// its log-likelihood is known, and told: no bound is needed. Otherwise E_q[log P(x | y)] is told
// under that name: how well the causes drawn account for the findings. It is not the likelihood,
// nor a bound of it, and may fall while that rises.
//
// Cost of a step: of a row, n_draws (edges to its positive findings, and a sweep); sums of two
// numbers per edge, 48 bytes each a thread. Memory beside: n / 8 bytes per row, of the chains'
// states. At 1,000 ranks the sharing of states and sums comes to matter first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learning/unit_values.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

/// Labels, a column per cause; each pointer may be null.
struct KnownCauses {
  const data::BitPanels* values = nullptr;
  const data::BitPanels* known = nullptr;  ///< where there is a label; null: everywhere
};

struct EmOptions {
  std::uint32_t n_steps = 10;
  std::uint32_t n_draws = 8;   ///< states of the causes a row and step
  std::uint32_t burn_in = 60;  ///< sweeps of a chain that begins
  double exact_work = 0x1p14;  ///< multiply-adds of a row's sum that count as cheap; 0: Gibbs alone
  double pseudo_rows = .5;     ///< failures added to each edge, and to the leak, with a success
  std::uint64_t seed = 1;
};

/// Of the parameters that a step began with; the last entry is of the result.
struct EmStep {
  double log_likelihood = 0;  ///< nats per row; NaN unless all possible rows were exact
  double fit = 0;             ///< E_q[log P(x | y)], nats per row
  std::uint64_t n_exact = 0;  ///< rows
  std::uint64_t n_impossible = 0;
  double change = 0;  ///< largest change of a failure or leak that the step then made
};

struct EmResult {
  model::NoisyOrNetwork loadings;  ///< edges of the start; those that came to fail always are gone
  std::vector<EmStep> steps;       ///< n_steps + 1
};

/// From the loadings of `start`. Known causes stay as they are. Rows without a missing value, the
/// columns of start. Logs each step (verbose). Same result at every rank. Collective.
EmResult run_em(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options);

struct KnownFit {
  model::NoisyOrNetwork loadings;
  model::StandardErrors errors;    ///< priors': 0, as they are not estimated here
  double fit = 0;                  ///< log P(x | y), nats per row
  std::uint64_t n_unfinished = 0;  ///< variables whose likelihood has not come to its top
};

/// Every cause known in every row: the failures and leaks of the highest likelihood, of the edges
/// of `start` alone ("oracle likelihood", "imputation"). A unit per variable, of a stage of this
/// name. Collective.
KnownFit fit_known_causes(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                          const data::BitPanels& rows, const data::BitPanels& causes,
                          double pseudo_rows, const char* stage = "likelihood");

}  // namespace orrery::anchored
