#include "families/noisy_or/quartet/rounds.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "learning/stages.hpp"

namespace orrery::quartet {

void keep(const learning::LearnContext& context, parallel::Team::Pause pause, const State& state) {
  context.checkpoints.between_steps(context.team, pause, [&] {
    if (context.team.is_root()) save(state, context.checkpoints.state());
  });
}

bool scan_round(const learning::LearnContext& context, const moments::Subtraction& learned,
                const Options& options, State& state) {
  learning::StageWatch watch(context.stages, fmt::format("quartets_depth_{}", state.depth));
  while (!state.scan.units.done()) {
    const std::uint64_t before = state.scan.units.left();
    const auto stretch =
        scan_quartets(context.team, context.threads, context.moments, learned, options, state.depth,
                      context.checkpoints.pause_at(), state.scan);
    watch.add(context.team, stretch, before - state.scan.units.left());
    try {
      keep(context, stretch.pause, state);
    } catch (const learning::TimeUp&) {
      return false;
    }
  }
  return true;
}

void tell(const State& state, const Options& options) {
  const ScanResult& found = state.scan.found;
  log::verbose("round {}: {} quartets passed the pretest, {} the {} test; {} causes learned",
               state.depth, format_count(found.n_pretested), format_count(found.n_accepted),
               to_string(options.test), state.causes.size() - state.n_before);
  if (found.n_accepted > options.max_candidates) {
    log::warning(
        "round {}: {} quartets were accepted, the best {} are used; {}a higher "
        "--max-candidates (24 bytes each)",
        state.depth, format_count(found.n_accepted), format_count(options.max_candidates),
        options.test == Test::calibrated ? "" : "a lower --tau-q, or ");
  }
}

}  // namespace orrery::quartet
