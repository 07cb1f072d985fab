#include "learners/quartet/rounds.hpp"

#include <utility>

#include "learners/quartet/errors.hpp"
#include "learners/quartet/refine.hpp"
#include "learners/quartet/scan.hpp"
#include "learners/quartet/work_plan.hpp"
#include "orrery/base/log.hpp"
#include "orrery/learners/stage_watch.hpp"

namespace orrery::quartet {
namespace {

// Causes that so many quartets agree on are taken at once, the others one by one.
constexpr std::uint64_t sure_support = 20;

std::vector<Elected> search(const learners::LearnContext& context,
                            const moments::Subtraction& learned, const Options& options,
                            int depth) {
  learners::StageWatch watch(context.stages, fmt::format("quartets_depth_{}", depth));
  ScanState state;
  state.units.total = WorkPlan(context.names.size()).n_units();
  while (!state.units.done()) {
    const auto before = state.units.left();
    const auto stretch = scan_quartets(context.team, context.threads, context.moments, learned,
                                       options, depth, parallel::Team::never, state);
    watch.add(context.team, stretch, before - state.units.left());
  }
  auto elected = elect(context, learned, options, state.found);
  log::verbose("depth {}: {} quartets passed the pretest, {} the test; {} causes elected", depth,
               format_count(state.found.n_pretested), format_count(state.found.n_accepted),
               elected.size());
  return elected;
}

}  // namespace

model::LearnedModel learn_refined(const learners::LearnContext& context, const Options& options) {
  Refiner refiner(context, options.alpha);
  const std::size_t m = context.names.size();
  for (int depth = 0; depth <= options.max_depth; ++depth) {
    const moments::Subtraction learned = subtraction_of(refiner.network(), {});
    const auto elected = search(context, learned, options, depth);
    bool changed = false;
    if (depth == 0) {
      refiner.begin(elected, depth, sure_support);
      changed = true;
    } else {
      changed = refiner.offer(elected, depth);
    }
    changed = refiner.offer(
                  residual_triples(context, subtraction_of(refiner.network(), {}), options.alpha),
                  depth) ||
              changed;
    changed = refiner.settle() || changed;
    log::verbose("depth {}: {} causes, score {:.1f}", depth, refiner.network().n_causes(),
                 refiner.score());
    if (!changed) break;
  }
  refiner.finish();
  model::LearnedModel model;
  model.network = refiner.renamed();
  model.provenance = refiner.provenance();
  model.errors = standard_errors(*context.rows, model.network, refiner.prior());
  model.learner = "quartet";
  model.n_samples = context.moments.n_samples();
  (void)m;
  return model;
}

}  // namespace orrery::quartet
