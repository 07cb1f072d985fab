// STRUCTURE-LEARN, Algorithm 1 of Jernite, Halpern, Sontag 2013 ("Discovering hidden variables in
// noisy-or networks using quartet tests").
//
//   paper                       code                       shape, range
//   S                           moments, names             m observed variables
//   Latent                      learned, causes            n causes: prior, m failures
//   tau_q, tau'_q, tau_e        Options tau_q, tau_q2, tau_e
//   depth d (Sec. 4)            depth                      0, 1, ... subtract-off rounds
//   T <- JOINT, ADJUST          scan.cpp                   16 cells a quartet
//   PRETEST, 4TEST              scan.cpp, rank_test.cpp, mixture.cpp
//   MIXTURE                     mixture.cpp
//   EXTEND                      extend.cpp
//
// Within a round quartets go from the lowest statistic up; one that shares two or more children
// with a cause learned in the same round is passed over (Sec. 4, "Implementation"). Rank 0 has the
// candidates and chooses; all ranks test quartets and extend causes. Leaks come last: what remains
// of the single moments.
// Cost: see scan.cpp for a round; a learned cause costs O(m N / 64).
#include "orrery/learners/learner.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "learners/quartet/extend.hpp"
#include "learners/quartet/mixture.hpp"
#include "learners/quartet/options.hpp"
#include "learners/quartet/plan.hpp"
#include "learners/quartet/scan.hpp"
#include "learners/quartet/state.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/learners/stage_watch.hpp"
#include "orrery/moments/adjusted.hpp"

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
void learn_cause(const learners::LearnContext& context, const moments::Subtraction& learned,
                 const Options& options, const Candidate& candidate, State& state) {
  const auto [a, b, c, d] = candidate.members;
  constexpr std::uint32_t none = moments::no_variable;
  context.moments.prepare(std::array<std::array<std::uint32_t, 4>, 5>{
      {{a, b, c, none}, {a, b, d, none}, {a, c, d, none}, {b, c, d, none}, {a, b, c, d}}});
  const auto estimate =
      mixture(moments::adjusted_quartet(context.moments, learned, candidate.members));
  if (!estimate) return;
  const std::vector<double> children = extend(context.team, context.threads, context.moments,
                                              learned, *estimate, candidate.members, options.tau_e);
  state.failures.insert(state.failures.end(), children.begin(), children.end());
  model::Provenance provenance;
  provenance.depth = state.depth;
  provenance.statistic = candidate.statistic;
  std::ranges::copy(candidate.members, provenance.quartet.begin());
  state.causes.push_back({estimate->prior, provenance});
}

/// Keeps the state if a pause asks for it; does not return from a stop. Collective.
void keep(const learners::LearnContext& context, parallel::Team::Pause pause, const State& state) {
  if (pause == parallel::Team::Pause::none) return;
  if (context.team.is_root()) put(state, context.checkpoints.state());
  context.checkpoints.keep(context.team, pause);
}

/// Lines 3 to 6: all quartets.
void scan(const learners::LearnContext& context, const moments::Subtraction& learned,
          const Options& options, State& state) {
  learners::StageWatch watch(context.stages, fmt::format("quartets_depth_{}", state.depth));
  while (!state.scan.units.done()) {
    const std::uint64_t before = state.scan.units.left();
    const auto stretch = scan_quartets(context.team, context.threads, context.moments, learned,
                                       options, state.depth, context.checkpoints.due(), state.scan);
    watch.add(context.team, stretch, before - state.scan.units.left());
    keep(context, stretch.pause, state);
  }
}

/// Lines 7 to 10 for the accepted quartets of a round, best first.
void learn_from_candidates(const learners::LearnContext& context,
                           const moments::Subtraction& learned, const Options& options,
                           State& state) {
  learners::StageWatch watch(context.stages, fmt::format("extend_depth_{}", state.depth));
  for (;;) {
    keep(context, context.checkpoints.pause_now(context.team), state);
    const auto candidate = next_candidate(context.team, state, context.moments.n_observed());
    if (!candidate) return;
    learn_cause(context, learned, options, *candidate, state);
    watch.add(context.team, {}, 1);
  }
}

void tell(const State& state, const Options& options) {
  const ScanResult& found = state.scan.found;
  log::verbose("depth {}: {} quartets passed the pretest, {} the {} test; {} causes learned",
               state.depth, format_count(found.n_pretested), format_count(found.n_accepted),
               options.test == Test::rank ? "rank" : "coherence",
               state.causes.size() - state.n_before);
  if (found.n_accepted > options.max_candidates) {
    log::warning(
        "depth {}: {} quartets were accepted, the best {} are used; a lower --tau-q, or "
        "a higher --max-candidates (24 bytes each)",
        state.depth, format_count(found.n_accepted), format_count(options.max_candidates));
  }
}

State first_state(const learners::LearnContext& context) {
  const std::size_t m = context.moments.n_observed();
  State state;
  state.begin_round(0, WorkPlan(m).n_units());
  if (context.team.is_root() && holds_state(context.checkpoints.state())) {
    state = take(context.checkpoints.state(), m);
  }
  share(context.team, state);
  return state;
}

model::NoisyOrNetwork assemble(const std::vector<std::string>& names,
                               const moments::MomentSource& moments,
                               const moments::Subtraction& learned) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::size_t u = 0; u < learned.n_causes(); ++u) {
    causes.push_back({fmt::format("cause{}", u), learned.prior(u)});
    for (std::size_t x = 0; x < names.size(); ++x) {
      const double failure = learned.failure(u, x);
      if (failure < 1) {
        edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(x), failure});
      }
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < names.size(); ++x) {
    // P(x off) with every cause subtracted off is 1 - leak; noise may push it out of [0, 1].
    const double off = moments.single(x) / learned.factor({x});
    observed.push_back({names[x], std::clamp(1 - off, 0.0, 1.0)});
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

model::LearnedModel learn(const learners::LearnContext& context,
                          const boost::program_options::variables_map& values) {
  const moments::MomentSource& moments = context.moments;
  Options options = read_options(values, moments.n_samples() == 0);
  if (context.memory_bytes > 0) {
    const auto threads = static_cast<std::size_t>(context.threads);
    options.slab_budget_bytes = std::min(options.slab_budget_bytes, context.memory_bytes / threads);
  }
  State state = first_state(context);
  while (state.depth <= options.max_depth) {
    const moments::Subtraction learned = state.learned_before(moments.n_observed());
    scan(context, learned, options, state);
    learn_from_candidates(context, learned, options, state);
    tell(state, options);
    if (state.causes.size() == state.n_before) break;
    state.begin_round(state.depth + 1, state.scan.units.total);
  }
  if (state.causes.empty()) {
    log::warning(
        "no quartet passed: a lower --tau-e ({}) finds weaker dependence, a higher --tau-q "
        "({}) accepts more quartets",
        options.tau_e, options.tau_q);
  }
  state.n_before = state.causes.size();
  model::LearnedModel model;
  model.network = assemble(context.names, moments, state.learned_before(moments.n_observed()));
  for (const LearnedCause& cause : state.causes) model.provenance.push_back(cause.provenance);
  model.learner = "quartet";
  model.n_samples = moments.n_samples();
  return model;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  return {{"--test", options.test == Test::rank ? "rank" : "coherence"},
          {"--tau-q", fmt::format("{}", options.tau_q)},
          {"--tau-q2", fmt::format("{}", options.tau_q2)},
          {"--tau-e", fmt::format("{}", options.tau_e)},
          {"--max-depth", fmt::format("{}", options.max_depth)},
          {"--max-candidates", fmt::format("{}", options.max_candidates)}};
}

learners::Plan plan(const learners::PlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, context.moments.n_samples() == 0));
}

}  // namespace

extern const learners::LearnerEntry entry;
const learners::LearnerEntry entry{
    "quartet",   "hidden causes by quartet tests (Jernite, Halpern, Sontag 2013)",
    add_options, result_options,
    learn,       plan};

}  // namespace orrery::quartet
