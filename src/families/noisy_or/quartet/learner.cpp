// The quartet learner: hidden causes of a noisy-OR network by quartet tests, after STRUCTURE-LEARN,
// Algorithm 1 of Jernite, Halpern, Sontag 2013. Rounds of searching and subtracting off, with
// calibrated tests and refinement (refined_rounds.cpp), calibrated tests alone
// (calibrated_rounds.cpp), as in the paper (paper_rounds.cpp), or by pair signatures where there
// are too many quartets (signature_rounds.cpp), which the default tries first on large tables;
// leaks come last: what remains of the single moments.
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/copies.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "families/noisy_or/quartet/signatures/doubtful_edges.hpp"
#include "families/noisy_or/quartet/signatures/signature_pass.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "families/noisy_or/quartet/verdict.hpp"
#include "learning/load.hpp"
#include "learning/stability.hpp"
#include "learning/stages.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {
namespace {

State new_state(const learning::LearnContext& context) {
  State state;
  state.begin_round(0, WorkPlan(context.moments.n_observed()).n_units());
  return state;
}

State first_state(const learning::LearnContext& context) {
  const std::size_t m = context.moments.n_observed();
  State state = new_state(context);
  if (context.team.is_root() && holds_state(context.checkpoints.state())) {
    state = load(context.checkpoints.state(), m);
  }
  share(context.team, state);
  state.refinement = Journal::restore(context.team, context.checkpoints.state(), context.names);
  return state;
}

/// Known causes keep their names, the others are cause0, cause1, ...
std::vector<std::string> names_of_causes(const learning::LearnContext& context,
                                         const State& state) {
  const Constraints rules(context.known, context.names);
  std::vector<std::string> names;
  std::size_t number = 0;
  for (const LearnedCause& cause : state.causes) {
    if (cause.known >= 0) {
      names.push_back(rules.causes()[static_cast<std::size_t>(cause.known)].name);
      continue;
    }
    while (rules.is_known_name(fmt::format("cause{}", number))) ++number;
    names.push_back(fmt::format("cause{}", number++));
  }
  return names;
}

model::NoisyOrNetwork assemble(const std::vector<std::string>& cause_names,
                               const std::vector<std::string>& names,
                               const moments::MomentSource& moments,
                               const moments::Subtraction& learned,
                               const std::vector<double>& leaks) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::size_t u = 0; u < learned.n_causes(); ++u) {
    causes.push_back({cause_names[u], learned.prior(u)});
    for (std::size_t x = 0; x < names.size(); ++x) {
      const double failure = learned.failure(u, x);
      if (failure < 1) {
        edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(x), failure});
      }
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < names.size(); ++x) {
    const double leak = leaks.empty() ? moments::leak_of(moments.single(x) / learned.factor({x}),
                                                         moments.n_samples())
                                      : std::clamp(leaks[x], 0.0, 1.0);
    observed.push_back({names[x], leak});
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

model::LearnedModel model_of_state(const learning::LearnContext& context, State& state) {
  const moments::MomentSource& moments = context.moments;
  state.n_before = state.causes.size();
  model::LearnedModel model;
  model.network = assemble(names_of_causes(context, state), context.names, moments,
                           state.learned_before(moments.n_observed()), state.leaks);
  for (const LearnedCause& cause : state.causes) model.provenance.push_back(cause.provenance);
  model.learner = "quartet";
  model.n_samples = moments.n_samples();
  return model;
}

/// With standard errors, if its parameters are those of EM.
model::LearnedModel with_errors(const learning::LearnContext& context, const State& state,
                                model::LearnedModel model) {
  if (state.leaks.empty() || context.checkpoints.is_cut_short()) return model;
  learning::StageWatch watch(context.stages, "errors");
  model.errors = sparse_standard_errors(*context.rows, model.network, signature_failure_prior);
  watch.add(context.team, {}, 1);
  return model;
}

/// True if pair signatures are worth a try before the search through all quartets, which takes ten
/// to a hundred times as long.
bool may_try_signatures(const learning::LearnContext& context, const Options& options) {
  const std::size_t m = context.moments.n_observed();
  const std::uint64_t n_rows = context.moments.n_samples();
  return options.search == Search::automatic && options.refine &&
         resolve(options, m).search == Search::exhaustive && options.test == Test::calibrated &&
         ((m >= constants::search::many_variables && n_rows >= constants::search::many_rows) ||
          (m >= constants::search::very_many_variables && n_rows >= constants::search::some_rows));
}

/// Of all rows, nats: a pass over them.
double log_likelihood(const learning::LearnContext& context, const model::NoisyOrNetwork& network) {
  return expect_sparse(*context.rows, network, Missing::ignore).expected.log_likelihood;
}

/// Without the edges that are not worth what refinement asks of one, if all of them together are
/// not worth it either: the search keeps weak ones, which causes of few rows need. Weak edges are
/// what keeps parameters moving (`has_settled`: they do not), and then there are no errors.
model::LearnedModel without_doubtful_edges(const learning::LearnContext& context,
                                           const Options& options, const State& kept,
                                           bool has_settled, State& state) {
  model::LearnedModel model = with_errors(context, state, model_of_state(context, state));
  for (int i = 0; i < constants::search::most_times_edges_drop && !model.errors.empty(); ++i) {
    State fewer = state;
    const double price = drop_doubtful_edges(context, options.alpha, model, fewer);
    if (price <= 0) break;
    const bool have_settled = settle(context, options.alpha, Settle::parameters, kept, fewer);
    if (context.checkpoints.is_cut_short()) break;
    const double lost = log_likelihood(context, model.network) -
                        log_likelihood(context, model_of_state(context, fewer).network);
    log::verbose("doubtful edges: {:.1f} nats lost without them, {:.1f} asked for", lost, price);
    if (lost > price) break;
    state = std::move(fewer);
    has_settled = have_settled;
    model = with_errors(context, state, model_of_state(context, state));
  }
  if (!has_settled) model.errors = {};
  return model;
}

/// By pair signatures, if causes that they find explain the pairs of variables; else empty, and
/// `state` is as new.
std::optional<model::LearnedModel> try_signatures(const learning::LearnContext& context,
                                                  Options options, State& state) {
  options.search = Search::signatures;
  signature_rounds(context, options, state);
  const State kept = state;
  const bool stand_for_several =
      !state.leaks.empty() && explains_too_little(context, refined_network(context, state));
  const bool has_settled =
      !state.leaks.empty() && settle(context, options.alpha, Settle::on_trial, kept, state);
  model::LearnedModel model = model_of_state(context, state);
  if (context.checkpoints.is_cut_short()) return model;
  const ResidualPairs pairs = residuals_of(context, model.network);
  const double misfit = misfit_of(pairs);
  const double left = dependence_left(context, pairs);
  log::verbose(
      "signatures: {} causes, {:.2f} % of the pairs misfit, {:.3f} % of the dependence left{}",
      model.network.n_causes(), 100 * misfit, 100 * left,
      has_settled ? "" : ", parameters are still moving");
  // Of few rows, or where most of the causes are what many pairs together have shown since.
  const bool is_in_doubt =
      context.moments.n_samples() < constants::search::many_rows || stand_for_several;
  if (model.network.n_causes() == 0 || left >= constants::search::most_left ||
      (is_in_doubt && misfit >= constants::search::most_misfit_in_doubt)) {
    state = new_state(context);
    return {};
  }
  return without_doubtful_edges(context, options, kept, has_settled, state);
}

model::LearnedModel learn_once(const learning::LearnContext& context, Options options) {
  const moments::MomentSource& moments = context.moments;
  const bool tries = may_try_signatures(context, options);
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
  if (tries && (state.is_new() || state.is_by_signatures())) {
    if (auto model = try_signatures(context, options, state)) return std::move(*model);
  }
  options = resolve(options, moments.n_observed());
  if (options.search == Search::signatures) {
    signature_rounds(context, options, state);
    if (state.causes.empty()) {
      log::warning(
          "no cause found: no four variables depend on each other as one cause would make them; "
          "more rows show weaker dependence");
    }
    const State kept = state;
    if (state.leaks.empty() || !settle(context, options.alpha, Settle::all, kept, state))
      return model_of_state(context, state);
    return with_errors(context, state, model_of_state(context, state));
  }
  if (options.test == Test::calibrated && options.refine) {
    return refined_rounds(context, options, state);
  }
  if (options.test == Test::calibrated) {
    calibrated_rounds(context, options, state);
  } else {
    paper_rounds(context, options, state);
  }
  if (options.refine) return refine_found(context, options, state);
  return model_of_state(context, state);
}

model::LearnedModel learn_model(const learning::LearnContext& context, const Options& options) {
  const auto learn_from = [&](const learning::LearnContext& rows) {
    return learning::learn_with_stability(
        rows, options.stability,
        [&](const learning::LearnContext& drawn) { return learn_once(drawn, options); });
  };
  // Without refinement, as in the paper, the columns are taken as they are.
  if (!options.refine) return learn_from(context);
  model::LearnedModel model = learn_without_copies(context, learn_from);
  Verdict found = verdict(context, model.network);
  model.fit = found.fit;
  for (std::string& remark : found.remarks) model.remarks.push_back(std::move(remark));
  return model;
}

model::AnyModel learn(const learning::LearnContext& context,
                      const boost::program_options::variables_map& values) {
  return learn_model(context, read_options(values, context.moments.n_samples() == 0));
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
    add("--extend", to_string(options.extend));
  }
  add("--max-depth", options.max_depth);
  add("--max-candidates", options.max_candidates);
  add("--stability", options.stability);
  if (options.stability > 0) add("--seed", values["seed"].as<std::uint64_t>());  // of the resamples
  return named;
}

learning::Plan plan(const learning::PlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, context.moments.n_samples() == 0));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    "quartet",   "hidden causes by quartet tests (Jernite, Halpern, Sontag 2013)",
    add_options, result_options,
    learn,       plan,
    true};

}  // namespace orrery::quartet

namespace orrery::learn {

model::LearnedModel quartet(const data::SampleMatrix& samples, const QuartetOptions& options,
                            const RunOptions& run_options) {
  quartet::require_in_range(options);
  learning::MemoryRun run(samples, run_options);
  model::LearnedModel learned = quartet::learn_model(run.context(), options);
  learned.data_digest = samples.digest;
  return learned;
}

}  // namespace orrery::learn
