// STRUCTURE-LEARN, Algorithm 1 of Jernite, Halpern, Sontag 2013 ("Discovering hidden variables in
// noisy-or networks using quartet tests").
//
//   paper                       code                       shape, range
//   S                           moments, names             m observed variables
//   Latent                      learned, causes            n causes: prior, m failures
//   tau_q, tau'_q, tau_e        Options tau_q, tau_q2, tau_e
//   depth d (Sec. 4)            depth                      0, 1, ... subtract-off rounds
//   T <- JOINT, ADJUST          scan.cpp                   16 cells per quartet
//   PRETEST, 4TEST              scan.cpp, unfolding_rank.cpp, cause_estimate.cpp
//   MIXTURE, EXTEND             cause_estimate.cpp
//
// Within a round quartets go from the lowest statistic up; one that shares two or more children
// with a cause learned in the same round is passed over (Sec. 4, "Implementation"). Rank 0 has the
// candidates and chooses; all ranks test quartets and extend causes. Leaks come last: what remains
// of the single moments.
// Cost: see scan.cpp for a round; a learned cause costs O(m N / 64).
#include <algorithm>
#include <optional>

#include "base/log.hpp"
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "learning/stages.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

/// The best candidate from next_candidate on that overlaps with no cause of the round, from rank 0
/// to all; none at the end. Collective.
std::optional<Candidate> next_candidate(const parallel::Team& team, State& state, std::size_t m) {
  std::vector<Candidate> chosen;
  const auto& candidates = state.scan.found.candidates;
  for (; team.is_root() && chosen.empty() && state.next_candidate < candidates.size();
       ++state.next_candidate) {
    const Candidate& candidate = candidates[state.next_candidate];
    if (!state.overlaps(candidate, m)) chosen.push_back(candidate);
  }
  team.broadcast(chosen);
  if (chosen.empty()) return std::nullopt;
  return chosen[0];
}

/// Lines 7 to 10 for one accepted quartet, by all ranks together.
void learn_cause(const learning::LearnContext& context, const moments::Subtraction& learned,
                 const Options& options, const Candidate& candidate, State& state) {
  const auto [a, b, c, d] = candidate.members;
  constexpr std::uint32_t none = moments::no_variable;
  context.moments.prepare(std::array<std::array<std::uint32_t, 4>, 5>{
      {{a, b, c, none}, {a, b, d, none}, {a, c, d, none}, {b, c, d, none}, {a, b, c, d}}});
  const auto estimate =
      mixture(moments::adjusted_quartet(context.moments, learned, candidate.members));
  if (!estimate) return;
  const std::vector<double> children =
      extend(context.team, context.threads, context.moments, learned, *estimate, candidate.members,
             {options.tau_e, options.extend});
  state.failures.insert(state.failures.end(), children.begin(), children.end());
  model::Provenance provenance;
  provenance.depth = state.depth;
  provenance.statistic = candidate.statistic;
  std::ranges::copy(candidate.members, provenance.quartet.begin());
  state.causes.push_back({estimate->prior, provenance});
}

/// Lines 7 to 10 for the accepted quartets of a round, best first; false if the time is over before
/// all have been gone through.
bool learn_from_candidates(const learning::LearnContext& context,
                           const moments::Subtraction& learned, const Options& options,
                           State& state) {
  learning::StageWatch watch(context.stages, fmt::format("extend_depth_{}", state.depth));
  for (;;) {
    try {
      keep(context, context.checkpoints.pause_now(context.team), state);
    } catch (const learning::TimeUp&) {
      return false;
    }
    const auto candidate = next_candidate(context.team, state, context.moments.n_observed());
    if (!candidate) return true;
    learn_cause(context, learned, options, *candidate, state);
    watch.add(context.team, {}, 1);
  }
}

}  // namespace

void paper_rounds(const learning::LearnContext& context, const Options& options, State& state) {
  while (state.depth <= options.max_depth) {
    const moments::Subtraction learned = state.learned_before(context.moments.n_observed());
    bool in_time = scan_round(context, learned, options, state);
    in_time = learn_from_candidates(context, learned, options, state) && in_time;
    tell(state, options);
    if (!in_time || state.causes.size() == state.n_before) break;
    state.begin_round(state.depth + 1, state.scan.units.total);
  }
  if (state.causes.empty()) {
    log::warning(
        "no quartet passed: a lower --tau-e ({}) finds weaker dependence, a higher --tau-q "
        "({}) accepts more quartets",
        options.tau_e, options.tau_q);
  }
}

}  // namespace orrery::quartet
