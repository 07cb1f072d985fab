// Search, refine, search in what is left, until a round changes nothing.
//
// A checkpoint keeps a round's scan as it goes, and of its refinement what each move came to
// (refine_journal.hpp).
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
  ShownRefiner(const learners::LearnContext& context, const Options& options, State& state,
               const std::string& stage)
      : progress_(stage),
        refiner_(context, options, state, state.refinement, [this, &context, &state] {
          keep(context, context.checkpoints.pause_now(context.team), state);
          progress_.pass(refiner_.network().n_causes(),
                         refiner_.has_started() ? std::optional(refiner_.score()) : std::nullopt);
        }) {}
  Refiner* operator->() { return &refiner_; }
  Refiner& operator*() { return refiner_; }

 private:
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

/// What the quartets elect that were scanned before the time was over.
std::vector<Elected> elected_so_far(const learners::LearnContext& context, const Options& options,
                                    const moments::Subtraction& learned, const State& state) {
  auto elected =
      elect(context.team, context.threads, context.moments, learned, options, state.scan.found);
  std::erase_if(elected, [&](const Elected& cause) {
    return !well_supported(cause, sure_support) || state.knows(cause);
  });
  return elected;
}

}  // namespace

model::LearnedModel refined_rounds(const learners::LearnContext& context, const Options& options,
                                   State& state) {
  if (context.known != nullptr && state.depth == 0 && state.causes.empty()) {
    Journal nothing_done;
    Refiner known(context, options, state, nothing_done, {});
    known.start();
    known.into(state);
    state.n_before = state.causes.size();
  }
  for (;;) {
    const moments::Subtraction learned = state.learned_before(context.moments.n_observed());
    const bool in_time = scan_round(context, learned, options, state);
    learners::StageWatch watch(context.stages, fmt::format("refine_depth_{}", state.depth));
    ShownRefiner refiner(context, options, state, fmt::format("refine, round {}", state.depth));
    if (!in_time)
      return refiner->finish_early(elected_so_far(context, options, learned, state), state.depth);
    bool changed = false;
    try {
      refiner->start();
      changed = refine(context, options, learned, state, *refiner);
    } catch (const learners::TimeUp&) {
      return refiner->finish_early({}, state.depth);
    }
    watch.add(context.team, {}, 1);
    tell(state, options);
    log::verbose("round {}: {} causes, score {:.1f}", state.depth, refiner->network().n_causes(),
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
  try {
    refiner->start();
    refiner->settle();
  } catch (const learners::TimeUp&) {
    return refiner->finish_early({}, state.depth);
  }
  watch.add(context.team, {}, 1);
  return refiner->finish();
}

}  // namespace orrery::quartet
