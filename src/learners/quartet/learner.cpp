// The quartet learner: hidden causes of a noisy-OR network by quartet tests, after STRUCTURE-LEARN,
// Algorithm 1 of Jernite, Halpern, Sontag 2013. Rounds of searching and subtracting off, with
// calibrated tests and refinement (refined_rounds.cpp), calibrated tests alone
// (calibrated_rounds.cpp), as in the paper (paper_rounds.cpp), or by pair signatures where there
// are too many quartets (signature_rounds.cpp); leaks come last: what remains of the single
// moments.
#include "orrery/learners/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "learners/quartet/copies.hpp"
#include "learners/quartet/options.hpp"
#include "learners/quartet/plan.hpp"
#include "learners/quartet/rounds.hpp"
#include "learners/quartet/state.hpp"
#include "learners/quartet/verdict.hpp"
#include "orrery/base/error.hpp"
#include "orrery/learners/leaks.hpp"
#include "orrery/learners/stability.hpp"

namespace orrery::quartet {
namespace {

State first_state(const learners::LearnContext& context) {
  const std::size_t m = context.moments.n_observed();
  State state;
  state.begin_round(0, WorkPlan(m).n_units());
  if (context.team.is_root() && holds_state(context.checkpoints.state())) {
    state = take(context.checkpoints.state(), m);
  }
  share(context.team, state);
  state.refinement = Journal::restore(context.team, context.checkpoints.state(), context.names);
  return state;
}

model::NoisyOrNetwork assemble(const std::vector<std::string>& names,
                               const moments::MomentSource& moments,
                               const moments::Subtraction& learned,
                               const std::vector<double>& leaks) {
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
    const double leak = leaks.empty() ? learners::leak_of(moments.single(x) / learned.factor({x}),
                                                          moments.n_samples())
                                      : std::clamp(leaks[x], 0.0, 1.0);
    observed.push_back({names[x], leak});
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

model::LearnedModel learn_once(const learners::LearnContext& context, Options options) {
  const moments::MomentSource& moments = context.moments;
  options = resolve(options, moments.n_observed());
  if (context.memory_bytes > 0) {
    const auto threads = static_cast<std::size_t>(context.threads);
    options.slab_budget_bytes = std::min(options.slab_budget_bytes, context.memory_bytes / threads);
  }
  if (options.refine && context.rows == nullptr) {
    throw UsageError("--refine em: goes over the rows, and there are none: --refine none");
  }
  if (!options.refine && context.known != nullptr) {
    throw UsageError("--structure, --start, --forbid, --require: known parts need --refine em");
  }
  State state = first_state(context);
  if (options.search == Search::signatures) {
    signature_rounds(context, options, state);
  } else if (options.test == Test::calibrated && options.refine) {
    return refined_rounds(context, options, state);
  } else if (options.test == Test::calibrated) {
    calibrated_rounds(context, options, state);
  } else {
    paper_rounds(context, options, state);
  }
  if (options.refine && options.search != Search::signatures) {
    return refine_found(context, options, state);
  }
  state.n_before = state.causes.size();
  model::LearnedModel model;
  model.network =
      assemble(context.names, moments, state.learned_before(moments.n_observed()), state.leaks);
  for (const LearnedCause& cause : state.causes) model.provenance.push_back(cause.provenance);
  model.learner = "quartet";
  model.n_samples = moments.n_samples();
  return model;
}

model::AnyModel learn(const learners::LearnContext& context,
                      const boost::program_options::variables_map& values) {
  const Options options = read_options(values, context.moments.n_samples() == 0);
  const auto learn_from = [&](const learners::LearnContext& rows) {
    return learners::learn_with_stability(
        rows, options.stability,
        [&](const learners::LearnContext& drawn) { return learn_once(drawn, options); });
  };
  // Without refinement, as in the paper, the columns are taken as they are.
  if (!options.refine) return learn_from(context);
  model::LearnedModel model = learn_without_copies(context, learn_from);
  for (std::string& remark : verdict(context, model.network)) {
    model.remarks.push_back(std::move(remark));
  }
  return model;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  std::vector<std::pair<std::string, std::string>> named{{"--test", to_string(options.test)}};
  const auto add = [&](const char* name, const auto& value) {
    named.emplace_back(name, fmt::format("{}", value));
  };
  add("--search", to_string(options.search));
  add("--refine", options.refine ? "em" : "none");
  if (options.test == Test::calibrated) {
    add("--alpha", options.alpha);
  } else {
    add("--tau-q", options.tau_q);
    add("--tau-q2", options.tau_q2);
    add("--tau-e", options.tau_e);
  }
  add("--max-depth", options.max_depth);
  add("--max-candidates", options.max_candidates);
  add("--stability", options.stability);
  if (options.stability > 0) add("--seed", values["seed"].as<std::uint64_t>());  // of the resamples
  return named;
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
    learn,       plan,
    true};

}  // namespace orrery::quartet
