// The rounds of Algorithm 1 of Jernite, Halpern, Sontag 2013 with calibrated tests:
//
//   paper                       here
//   PMI - CPMI > tau_e          z-scores of log cumulants (calibration.cpp)
//   4TEST: statistic < tau_q    goodness of fit of one cause (quartet_fit.hpp)
//   best quartet, EXTEND        signatures and a vote of all accepted quartets (search.cpp)
//   subtracted as if exact      with the standard errors of the parameters
//
// A round learns all the causes that its quartets elect; a cause found again, because what was
// subtracted of it left a rest, is dropped.
#include <fmt/format.h>

#include "base/log.hpp"
#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "learning/stages.hpp"

namespace orrery::quartet {

void calibrated_rounds(const learning::LearnContext& context, const Options& options,
                       State& state) {
  while (state.depth <= options.max_depth) {
    const moments::Subtraction learned = state.learned_before(context.moments.n_observed());
    const bool in_time = scan_round(context, learned, options, state);
    {
      learning::StageWatch watch(context.stages, fmt::format("elect_depth_{}", state.depth));
      for (const Elected& cause : elect(context.team, context.threads, context.moments, learned,
                                        options, state.scan.found)) {
        if (!well_supported(cause, constants::calibrated::enough_votes) || state.knows(cause))
          continue;
        state.add(cause);
        watch.add(context.team, {}, 1);
      }
    }
    tell(state, options);
    if (!in_time || state.causes.size() == state.n_before) break;
    state.begin_round(state.depth + 1, state.scan.units.total);
  }
  if (state.causes.empty()) {
    log::warning(
        "no cause found: no four variables depend on each other significantly and as one cause "
        "would make them (--alpha {}); more rows show weaker dependence",
        options.alpha);
  }
}

}  // namespace orrery::quartet
