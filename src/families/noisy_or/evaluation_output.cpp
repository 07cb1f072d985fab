#include "families/noisy_or/evaluation_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/likeness_output.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"
#include "families/noisy_or/summary.hpp"
#include "model/learnability.hpp"

namespace orrery::noisy_or {
namespace {

using nlohmann::json;

constexpr std::size_t listed_in_text = 5;
constexpr std::size_t listed_in_json = 20;

/// "priors 8 of 8", or nothing if there is none.
std::string describe_share(const char* name, const Share& share) {
  return share.total == 0 ? "" : fmt::format(" {} {} of {}", name, share.hits, share.total);
}

std::vector<std::string> names_of(const PatternCheck& check, const model::NoisyOrNetwork& network) {
  std::vector<std::string> names;
  for (const std::uint32_t a : check.variables) names.push_back(network.observed()[a].name);
  return names;
}

json checks_json(std::span<const PatternCheck> checks, const model::NoisyOrNetwork& network) {
  json worst = json::array();
  for (const auto& check : checks.first(std::min(checks.size(), listed_in_json))) {
    worst.push_back({{"variables", names_of(check, network)},
                     {"rows", check.n_rows},
                     {"observed", check.observed},
                     {"expected", check.expected},
                     {"z", check.z}});
  }
  return {{"checked", checks.size()},
          {"surprising", share_surprising(checks)},
          {"worst", std::move(worst)}};
}

std::string describe_checks(const char* what, std::span<const PatternCheck> checks,
                            const model::NoisyOrNetwork& network) {
  if (checks.empty()) return "";
  std::string text = fmt::format(
      "{} {} all off: {:.1f} % beyond {} standard deviations of what the model expects\n",
      format_count(checks.size()), what, 100 * share_surprising(checks), surprising_z);
  for (const auto& check : checks.first(std::min(checks.size(), listed_in_text))) {
    text += fmt::format("  {:30} {} of {} rows, expected {:.1f}, z {:+.1f}\n",
                        fmt::format("{}", fmt::join(names_of(check, network), " ")),
                        format_count(check.observed), format_count(check.n_rows), check.expected,
                        check.z);
  }
  return text;
}

/// A true cause and its partner.
std::string describe_match(const CauseMatch& match, const model::Cause& truth,
                           const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths) {
  if (match.learned < 0) return fmt::format("  {:14}no match\n", truth.name);
  const auto index = static_cast<std::size_t>(match.learned);
  const model::Cause& cause = learned.network.causes()[index];
  return fmt::format(
      "  {:14}{} {:10}{}  cost {:.3g}  prior {:.4g} (true {:.4g})  worst failure error {:.2g}\n",
      truth.name, match.recovered ? "=" : "~", cause.name,
      depths.empty() ? "" : "  " + describe_depth(depths[index]), match.cost, cause.prior,
      truth.prior, match.failure_error);
}

json match_json(const CauseMatch& match, const model::Cause& truth,
                const model::LearnedModel& learned, const std::vector<std::int32_t>& depths) {
  json entry{{"true", truth.name}, {"recovered", match.recovered}};
  if (match.learned < 0) return entry;
  const auto index = static_cast<std::size_t>(match.learned);
  entry["learned"] = learned.network.causes()[index].name;
  entry["cost"] = match.cost;
  entry["prior_error"] = match.prior_error;
  entry["failure_error"] = match.failure_error;
  if (!learned.provenance.empty()) entry["depth"] = learned.provenance[index].depth;
  if (!depths.empty()) entry["structural_depth"] = depth_json(depths[index]);
  return entry;
}

json weakest_json(const model::LearnedModel& learned) {
  json edges = json::array();
  for (const std::size_t i : weakest_edges(learned, listed_in_json)) {
    const model::Edge& edge = learned.network.edges()[i];
    json entry{{"cause", learned.network.causes()[edge.cause].name},
               {"observed", learned.network.observed()[edge.observed].name},
               {"failure", edge.failure}};
    if (!learned.errors.empty()) {
      entry["failure_interval"] =
          interval_json(interval95(edge.failure, learned.errors.failure, i));
    }
    if (learned.stability.resamples > 0) entry["stability"] = learned.stability.edge[i];
    edges.push_back(std::move(entry));
  }
  return edges;
}

/// Causes at structural depth 0, 1, ...; those that quartets never find are not counted.
std::vector<std::size_t> count_of_depths(const std::vector<std::int32_t>& depths) {
  std::vector<std::size_t> count;
  for (const std::int32_t depth : depths) {
    if (depth == model::CauseLearnability::never) continue;
    const auto d = static_cast<std::size_t>(depth);
    count.resize(std::max(count.size(), d + 1));
    ++count[d];
  }
  return count;
}

}  // namespace

nlohmann::json share_json(const Share& share) { return {share.hits, share.total}; }

json truth_json(const Evaluation& result, const model::LearnedModel& learned,
                const model::NoisyOrNetwork& truth, const std::vector<std::int32_t>& depths) {
  json causes = json::array();
  for (std::size_t u = 0; u < result.causes.size(); ++u) {
    causes.push_back(match_json(result.causes[u], truth.causes()[u], learned, depths));
  }
  const bool any = result.recovered > 0;
  json object{{"true_causes", result.n_true},
              {"learned_causes", result.n_learned},
              {"min_prior", result.min_prior},
              {"recovered", result.recovered},
              {"extra", result.extra.size()},
              {"edge_precision", result.edge_precision},
              {"edge_recall", result.edge_recall},
              {"edge_f1", result.edge_f1},
              {"true_cause_edges", result.n_true_cause_edges},
              {"learned_cause_edges", result.n_learned_cause_edges},
              {"common_cause_edges", result.n_common_cause_edges},
              {"mean_prior_error", any ? json(result.mean_prior_error) : json(nullptr)},
              {"max_failure_error", any ? json(result.max_failure_error) : json(nullptr)},
              {"max_leak_error", result.max_leak_error},
              {"learned_at_depth", result.learned_at_depth},
              {"learned_at_structural_depth", count_of_depths(depths)},
              {"causes", std::move(causes)},
              {"by_cosine", likeness_json(result.likeness, learned.network, truth)}};
  if (!learned.errors.empty()) {
    const Coverage inside = coverage(learned, truth, result);
    object["coverage"] = {{"priors", share_json(inside.priors)},
                          {"failures", share_json(inside.failures)},
                          {"leaks", share_json(inside.leaks)}};
  }
  return object;
}

std::string describe_truth(const Evaluation& result, const model::LearnedModel& learned,
                           const model::NoisyOrNetwork& truth,
                           const std::vector<std::int32_t>& depths) {
  std::string text = fmt::format(
      "{} of {} causes recovered, {} extra (each failure within a factor of e, learned prior at "
      "least {})\n",
      result.recovered, result.n_true, result.extra.size(), result.min_prior);
  for (std::size_t u = 0; result.n_true <= many_causes && u < result.n_true; ++u) {
    text += describe_match(result.causes[u], truth.causes()[u], learned, depths);
  }
  text += fmt::format("edges (1 - f > .1): precision {:.3f}, recall {:.3f}, F1 {:.3f}\n",
                      result.edge_precision, result.edge_recall, result.edge_f1);
  if (result.n_true_cause_edges + result.n_learned_cause_edges > 0) {
    text += fmt::format("{} of {} edges among causes found, {} extra\n",
                        result.n_common_cause_edges, result.n_true_cause_edges,
                        result.n_learned_cause_edges - result.n_common_cause_edges);
  }
  if (result.recovered > 0) {
    text += fmt::format("recovered causes: mean prior error {:.2g}, worst failure error {:.2g}\n",
                        result.mean_prior_error, result.max_failure_error);
  }
  text += fmt::format("worst leak error {:.2g}\n", result.max_leak_error);
  text += describe_likeness(result.likeness, learned.network, truth);
  if (!learned.errors.empty()) {
    const Coverage inside = coverage(learned, truth, result);
    text += fmt::format(
        "true values inside the 95 % intervals:{}{}{}\n", describe_share("priors", inside.priors),
        describe_share("failures", inside.failures), describe_share("leaks", inside.leaks));
  }
  if (!depths.empty()) text += fmt::format("learned causes: {}\n", describe_depths(depths));
  return text;
}

json data_json(const DataScores& scores, const model::NoisyOrNetwork& network) {
  json object{{"rows", scores.n_samples}, {"held_out", scores.held_out}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) object[name] = cli::finite_or_null(*value);
  };
  add("log_likelihood", scores.model);
  add("true_log_likelihood", scores.truth);
  add("chow_liu_log_likelihood", scores.chow_liu);
  add("independent_log_likelihood", scores.independent);
  add("mixture_log_likelihood", scores.mixture);
  if (scores.mixture) object["mixture_components"] = scores.n_components;
  if (scores.n_train > 0) object["train_rows"] = scores.n_train;
  object["predictive_check"] = {{"pairs", checks_json(scores.check.pairs, network)},
                                {"triples", checks_json(scores.check.triples, network)}};
  return object;
}

std::string describe_data(const DataScores& scores, const model::NoisyOrNetwork& network) {
  std::string text;
  if (scores.model) {
    text += fmt::format("log-likelihood a row: {:.4f} nats over {} rows{}{}\n", *scores.model,
                        format_count(scores.n_samples),
                        scores.truth ? fmt::format(" (true network {:.4f})", *scores.truth) : "",
                        scores.held_out ? "" : ", those it was learned from");
  }
  if (scores.chow_liu) {
    text += fmt::format(
        "  Chow-Liu tree {:.4f}, independent variables {:.4f}, mixture of {} kinds of rows {:.4f}, "
        "all "
        "learned from {} rows\n",
        *scores.chow_liu, *scores.independent, scores.n_components, *scores.mixture,
        format_count(scores.n_train));
  }
  return text + describe_checks("pairs", scores.check.pairs, network) +
         describe_checks("triples", scores.check.triples, network);
}

json model_json(const model::LearnedModel& learned, const std::vector<std::int32_t>& depths) {
  json object{{"causes", causes_json(learned, depths)}, {"weakest_edges", weakest_json(learned)}};
  if (learned.stability.resamples > 0) object["resamples"] = learned.stability.resamples;
  if (learned.errors.empty()) return object;
  json leaks = json::array();
  for (std::size_t a = 0; a < learned.network.n_observed(); ++a) {
    const model::Observed& variable = learned.network.observed()[a];
    leaks.push_back(
        {{"observed", variable.name},
         {"leak", variable.leak},
         {"leak_interval", interval_json(interval95(variable.leak, learned.errors.leak, a))}});
  }
  object["leaks"] = std::move(leaks);
  return object;
}

std::string describe_model(const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths, bool list_causes) {
  std::string text =
      fmt::format("{} cause{} of {} variables{}{}\n", learned.network.n_causes(),
                  learned.network.n_causes() == 1 ? "" : "s", learned.network.n_observed(),
                  learned.errors.empty() ? "" : ", with 95 % intervals",
                  learned.stability.resamples == 0
                      ? ""
                      : fmt::format(", stability from {} resamples", learned.stability.resamples));
  if (list_causes) text += describe_causes(learned, depths);
  const auto weakest = weakest_edges(learned, listed_in_text);
  if (!weakest.empty()) text += "weakest edges:\n";
  for (const std::size_t i : weakest) {
    const model::Edge& edge = learned.network.edges()[i];
    text +=
        fmt::format("  {} -> {}: failure {:.3g}{}{}\n", learned.network.causes()[edge.cause].name,
                    learned.network.observed()[edge.observed].name, edge.failure,
                    describe_interval(interval95(edge.failure, learned.errors.failure, i)),
                    learned.stability.resamples == 0
                        ? ""
                        : fmt::format(", stability {:.2f}", learned.stability.edge[i]));
  }
  return text;
}

}  // namespace orrery::noisy_or
