// Search, refine, search in what is left, until a round changes nothing.
//
// A round is the unit of a checkpoint: its scan is kept as it goes; its refinement is begun again
// from the end of the scan.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "learners/quartet/errors.hpp"
#include "learners/quartet/refine.hpp"
#include "learners/quartet/rounds.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/search_progress.hpp"
#include "orrery/learners/stage_watch.hpp"

namespace orrery::quartet {
namespace {

// Causes that so many quartets agree on are taken at once, the others one by one.
constexpr std::uint64_t sure_support = 20;

/// A Refiner whose checkpoints are kept and whose progress is shown.
class ShownRefiner {
 public:
  ShownRefiner(const learners::LearnContext& context, const Options& options, const State& state,
               const std::string& stage)
      : progress_(stage), refiner_(context, options, state, [this, &context, &state] {
          keep(context, context.checkpoints.pause_now(context.team), state);
          progress_.pass(begun_ ? refiner_.network().n_causes() : state.causes.size(),
                         begun_ ? std::optional(refiner_.score()) : std::nullopt);
        }) {
    begun_ = true;
  }
  Refiner* operator->() { return &refiner_; }
  Refiner& operator*() { return refiner_; }

 private:
  bool begun_ = false;  // `refiner_` has a network
  SearchProgress progress_;
  Refiner refiner_;
};

/// One round's refinement; true if the network has changed.
bool refine(const learners::LearnContext& context, const Options& options,
            const moments::Subtraction& learned, const State& state, Refiner& refiner) {
  const auto elected =
      elect(context.team, context.threads, context.moments, learned, options, state.scan.found);
  const auto offer = [&] {
    bool changed = refiner.offer(elected, state.depth);
    const auto triples =
        residual_triples(context, subtraction_of(refiner.network(), {}), options.alpha);
    changed = refiner.offer(triples, state.depth) || changed;
    const auto leaking = leaking_together(refiner.rows(), context.moments, refiner.network());
    return refiner.offer(leaking, state.depth) || changed;
  };
  if (state.depth > 0) {
    if (!offer()) return false;
    refiner.settle();
    return true;
  }
  const std::uint64_t step = context.rows->n_rows() / first_round_rows;
  if (step > 1) refiner.look_at(step);
  refiner.begin(elected, state.depth, sure_support);
  offer();
  refiner.settle();
  if (step > 1) {
    refiner.look_at(1);
    offer();
    refiner.settle();
  }
  return true;
}

}  // namespace

model::LearnedModel refined_rounds(const learners::LearnContext& context, const Options& options,
                                   State& state) {
  if (context.known != nullptr && state.depth == 0 && state.causes.empty()) {
    const Refiner known(context, options, state, {});
    known.into(state);
    state.n_before = state.causes.size();
  }
  for (;;) {
    const moments::Subtraction learned = state.learned_before(context.moments.n_observed());
    scan_round(context, learned, options, state);
    learners::StageWatch watch(context.stages, fmt::format("refine_depth_{}", state.depth));
    ShownRefiner refiner(context, options, state, fmt::format("refine, depth {}", state.depth));
    const bool changed = refine(context, options, learned, state, *refiner);
    watch.add(context.team, {}, 1);
    tell(state, options);
    log::verbose("depth {}: {} causes, score {:.1f}", state.depth, refiner->network().n_causes(),
                 refiner->score());
    if (!changed || state.depth == options.max_depth) return refiner->finish();
    refiner->into(state);
    state.begin_round(state.depth + 1, state.scan.units.total);
  }
}

model::LearnedModel refine_found(const learners::LearnContext& context, const Options& options,
                                 State& state) {
  learners::StageWatch watch(context.stages, "refine");
  ShownRefiner refiner(context, options, state, "refine");
  refiner->settle();
  watch.add(context.team, {}, 1);
  return refiner->finish();
}

}  // namespace orrery::quartet
