// Search, refine, search in what is left, until a round changes nothing.
//
// Where that explains the pairs of variables, it is the result. Where it does not, or takes too
// much, or where a cause stands for two others that come together, the table is no noisy-OR network
// of independent causes: a network is grown beside it (growth/growth.hpp), and the better of the
// two is taken. Where the search took too much and the grown causes are all but independent, they
// are refined in the place of what the quartets showed; where they are not, and the search had come
// further than growth, it goes on.
//
// A checkpoint keeps a round's scan as it goes, and of its refinement what each move came to
// (refine_journal.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/cause_seeds.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/refiner.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "families/noisy_or/quartet/verdict.hpp"
#include "learning/stages.hpp"

namespace orrery::quartet {
namespace {

/// A grown network has nothing of what the user knows beforehand.
bool may_grow(const learning::LearnContext& context) { return context.known == nullptr; }

/// The search takes more states than it may.
struct TakesTooMuch {};

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Most of the causes that a search begins with have many quartets each.
bool are_sure(const std::vector<std::uint64_t>& supports) {
  const auto n_sure = static_cast<double>(std::ranges::count_if(
      supports, [](std::uint64_t n) { return n >= constants::refinement::sure_support; }));
  return n_sure > 0 &&
         n_sure >= constants::refinement::share_of_sure * static_cast<double>(supports.size());
}

/// How many states a search may take.
double most_states(const learning::LearnContext& context, const State& state, bool is_sure) {
  if (!may_grow(context) || state.outdoes_growth) return no_limit;
  return (is_sure ? constants::refinement::states_per_row_if_sure
                  : constants::refinement::states_per_row) *
         std::max(constants::refinement::many_rows, static_cast<double>(context.rows->n_rows())) *
         std::min(1.0, constants::refinement::many_variables /
                           static_cast<double>(context.moments.n_observed()));
}

/// A Refiner whose checkpoints are kept and whose progress is shown.
class ShownRefiner {
 public:
  ShownRefiner(const learning::LearnContext& context, const Options& options, State& state,
               const std::string& stage, double most_states)
      : most_states_(most_states),
        progress_(stage),
        refiner_(context, options, state, state.refinement, [this, &context, &state] {
          keep(context, context.checkpoints.pause_now(context.team), state);
          progress_.pass(refiner_.network().n_causes(),
                         refiner_.has_started() ? std::optional(refiner_.score()) : std::nullopt);
          if (state.refinement.n_states() > most_states_) throw TakesTooMuch{};
        }) {}
  /// What follows may take any number of states.
  void lift_limit() { most_states_ = no_limit; }
  Refiner* operator->() { return &refiner_; }
  Refiner& operator*() { return refiner_; }

 private:
  double most_states_;
  SearchProgress progress_;
  Refiner refiner_;
};

/// One round's refinement; true if the network has changed. It begins with the causes of the
/// `grown` network in a round whose elected causes took too much.
bool refine(const learning::LearnContext& context, const Options& options,
            const std::vector<Elected>& elected, const std::optional<GrownModel>& grown,
            const State& state, Refiner& refiner) {
  if (grown && state.depth == state.grown_in) {
    refiner.begin(grown->model);
    refiner.settle();
    return true;
  }
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
  const std::uint64_t step = context.rows->n_rows() / constants::refinement::first_round_rows;
  if (step > 1) refiner.look_at(step);
  refiner.begin(elected, state.depth, constants::refinement::sure_support);
  offer();
  refiner.settle();
  if (step > 1) {
    refiner.look_at(1);
    offer();
    refiner.settle();
  }
  return true;
}

/// What refinement came to, and its Growth::score where growth is worth a try.
struct Refined {
  model::LearnedModel model;
  std::optional<double> score;
};

/// Growth is worth a try where more pairs misfit than chance explains, or where causes that depend
/// on one another would explain them by fewer.
Refined finish(const learning::LearnContext& context, ShownRefiner& refiner) {
  refiner.lift_limit();
  Refined refined{refiner->finish(), {}};
  if (!may_grow(context)) return refined;
  const auto n_rows = static_cast<double>(context.rows->n_rows());
  const double misfit = misfit_of(residuals_of(context, refined.model.network));
  log::verbose("refined: {:.2f} % of the pairs misfit", 100 * misfit);
  if (misfit < constants::verdict::most_misfit && !has_composite(refined.model.network))
    return refined;
  refined.score = score_as_grown(refined.model.network, refiner->log_likelihood(), n_rows);
  return refined;
}

/// The refined network, or a grown one if that explains more. `grown`: if it was grown before.
model::LearnedModel better_of_both(const learning::LearnContext& context, Refined refined,
                                   std::optional<GrownModel> grown, State& state) {
  if (!refined.score) return std::move(refined.model);
  if (!grown) grown = grow(context, state);
  log::verbose("score {:.1f} refined, {:.1f} grown", *refined.score, grown->score);
  return grown->score > *refined.score ? std::move(grown->model) : std::move(refined.model);
}

/// The score of a search that took too much, as growth counts it; -infinity while it looks at some
/// of the rows only.
double score_so_far(const learning::LearnContext& context, const Refiner& refiner) {
  if (!refiner.has_started() || refiner.rows().step() > 1) return -no_limit;
  return score_as_grown(refiner.network(), refiner.log_likelihood(),
                        static_cast<double>(context.rows->n_rows()));
}

/// Its causes hardly depend on one another.
bool is_independent(const model::NoisyOrNetwork& network) {
  std::size_t n_edges = 0;
  for (const model::CauseTable& table : network.cause_network().tables()) {
    n_edges += table.parents.size();
  }
  return static_cast<double>(n_edges) <
         constants::refinement::few_edges * static_cast<double>(network.n_causes());
}

/// Whether there is something to refine still, once a network was `grown` because refinement took
/// too much: the grown causes, if they are all but independent, or else what refinement had come
/// to, if its score `so_far` is the better one.
bool goes_on(const learning::LearnContext& context, double so_far, const GrownModel& grown,
             State& state) {
  if (is_independent(grown.model.network)) {
    log::verbose("the grown causes are independent: they are refined");
    state.refinement.clear();
    state.grown_in = state.depth;
    return true;
  }
  log::verbose("score {:.1f} so far, {:.1f} grown", so_far, grown.score);
  if (so_far <= grown.score) return false;
  log::verbose("refinement goes on");
  state.refinement.rewind();
  // Growth that the time has ended is no judge.
  state.outdoes_growth = !context.checkpoints.is_cut_short();
  return true;
}

/// Those of quartets that were scanned before the time was over that need no further test.
std::vector<Elected> sure_ones(std::vector<Elected> elected, const State& state) {
  std::erase_if(elected, [&](const Elected& cause) {
    return !well_supported(cause, constants::refinement::sure_support) || state.knows(cause);
  });
  return elected;
}

/// What there is when the time is over: the network with the causes `found` besides, or the grown
/// one if that explains more.
model::LearnedModel ended_early(const learning::LearnContext& context, ShownRefiner& refiner,
                                const std::vector<Elected>& found, int depth,
                                std::optional<GrownModel> grown) {
  refiner.lift_limit();
  model::LearnedModel refined = refiner->finish_early(found, depth);
  if (!grown) return refined;
  if (refined.network.edges().empty()) return std::move(grown->model);
  const double score = score_as_grown(refined.network, refiner->log_likelihood(),
                                      static_cast<double>(context.rows->n_rows()));
  return grown->score > score ? std::move(grown->model) : std::move(refined);
}

/// Of the causes that a round begins with: those of the rounds before it, or else the elected.
std::vector<std::uint64_t> supports(const State& state, const std::vector<Elected>& elected) {
  std::vector<std::uint64_t> all;
  for (const LearnedCause& cause : state.causes) all.push_back(cause.provenance.support);
  if (!all.empty()) return all;
  for (const Elected& cause : elected) all.push_back(cause.support);
  return all;
}

/// What a round came to; none of these if another one follows.
struct Outcome {
  std::optional<model::LearnedModel> ended;  ///< by the time
  std::optional<double> given_up;            ///< it took too much: its score so far
  std::optional<Refined> last;               ///< there is nothing left to change
};

/// A scan and the refinement of what it found. `grown`: once refinement has taken too much.
Outcome run_round(const learning::LearnContext& context, const Options& options,
                  std::optional<GrownModel>& grown, State& state) {
  const moments::Subtraction learned = state.learned_before(context.moments.n_observed());
  const bool in_time = scan_round(context, learned, options, state);
  learning::StageWatch watch(context.stages, fmt::format("refine_depth_{}", state.depth));
  const std::vector<Elected> elected =
      elect(context.team, context.threads, context.moments, learned, options, state.scan.found);
  const bool is_sure = grown || are_sure(supports(state, elected));
  ShownRefiner refiner(context, options, state, fmt::format("refine, round {}", state.depth),
                       most_states(context, state, is_sure));
  const auto end_early = [&](const std::vector<Elected>& found) {
    return Outcome{ended_early(context, refiner, found, state.depth, std::move(grown)), {}, {}};
  };
  if (!in_time) return end_early(sure_ones(elected, state));
  bool changed = false;
  try {
    refiner->start();
    changed = refine(context, options, elected, grown, state, *refiner);
  } catch (const learning::TimeUp&) {
    return end_early({});
  } catch (const TakesTooMuch&) {
    return {{}, score_so_far(context, *refiner), {}};
  }
  watch.add(context.team, {}, 1);
  tell(state, options);
  log::verbose("round {}: {} causes, score {:.1f}", state.depth, refiner->network().n_causes(),
               refiner->score());
  if (!changed || state.depth == options.max_depth) return {{}, {}, finish(context, refiner)};
  refiner->into(state);
  return {};
}

}  // namespace

model::LearnedModel refined_rounds(const learning::LearnContext& context, const Options& options,
                                   State& state) {
  if (context.known != nullptr && state.depth == 0 && state.causes.empty()) {
    Journal nothing_done;
    Refiner known(context, options, state, nothing_done, {});
    known.start();
    known.into(state);
    state.n_before = state.causes.size();
  }
  std::optional<GrownModel> grown;  // once refinement has taken too much
  if (state.grown_in >= 0) {        // of a run that goes on
    grown = grow(context, state);
    if (!is_independent(grown->model.network)) return std::move(grown->model);
  }
  for (;;) {
    Outcome round = run_round(context, options, grown, state);
    if (round.ended) return std::move(*round.ended);
    if (round.last) return better_of_both(context, std::move(*round.last), std::move(grown), state);
    if (round.given_up) {
      log::verbose("refinement takes too many states of the causes: {}",
                   grown ? "the network stays as it was grown" : "growth instead");
      if (grown) return std::move(grown->model);
      grown = grow(context, state);
      if (!goes_on(context, *round.given_up, *grown, state)) return std::move(grown->model);
      continue;
    }
    state.begin_round(state.depth + 1, state.scan.units.total);
  }
}

model::LearnedModel refine_found(const learning::LearnContext& context, const Options& options,
                                 State& state) {
  learning::StageWatch watch(context.stages, "refine");
  ShownRefiner refiner(context, options, state, "refine", no_limit);
  try {
    refiner->start();
    refiner->settle();
  } catch (const learning::TimeUp&) {
    return refiner->finish_early({}, state.depth);
  }
  watch.add(context.team, {}, 1);
  return refiner->finish();
}

}  // namespace orrery::quartet
