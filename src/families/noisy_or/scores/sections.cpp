// What is told of a noisy-OR network: what it says of itself (its causes, its weakest edges, and in
// JSON its leaks), what samples say of it, and how much of a known truth was found.
#include "families/noisy_or/scores/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <tuple>

#include "base/progress.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "model/learnability.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {
namespace {

constexpr double normal_95 = 1.959963984540054;

/// What weakest_edges sorts by.
std::tuple<double, double, std::size_t> evidence(const model::LearnedModel& model,
                                                 std::size_t edge) {
  const double strength = 1 - model.network.edges()[edge].failure;
  const double stability = edge < model.stability.edge.size() ? model.stability.edge[edge] : 1;
  const double error = edge < model.errors.failure.size() ? model.errors.failure[edge] : 0;
  return {stability, error > 0 ? strength / error : strength, edge};
}

std::vector<std::size_t> weakest_of(const model::LearnedModel& model, std::size_t first,
                                    std::size_t end, std::size_t n) {
  std::vector<std::size_t> edges(end - first);
  std::iota(edges.begin(), edges.end(), first);
  const auto keep = edges.begin() + static_cast<std::ptrdiff_t>(std::min(n, edges.size()));
  std::partial_sort(edges.begin(), keep, edges.end(), [&](std::size_t i, std::size_t j) {
    return evidence(model, i) < evidence(model, j);
  });
  edges.erase(keep, edges.end());
  return edges;
}

void count(Share& share, const std::optional<Interval>& interval, double truth) {
  if (interval) share.count(interval->contains(truth));
}

}  // namespace

std::optional<Interval> interval95(double estimate, const std::vector<double>& errors,
                                   std::size_t index) {
  if (index >= errors.size() || !std::isfinite(errors[index])) return std::nullopt;
  const double half = normal_95 * errors[index];
  return Interval{std::max(estimate - half, 0.0), std::min(estimate + half, 1.0)};
}

std::vector<std::size_t> weakest_edges(const model::LearnedModel& model, std::size_t n) {
  return weakest_of(model, 0, model.network.edges().size(), n);
}

Coverage coverage(const model::LearnedModel& model, const model::NoisyOrNetwork& truth,
                  const Evaluation& evaluation) {
  const std::vector<std::size_t> position = align_observed(model.network, truth);
  std::vector<std::int64_t> true_cause(model.network.n_causes(), -1);
  Coverage result;
  for (std::size_t t = 0; t < evaluation.causes.size(); ++t) {
    if (!evaluation.causes[t].recovered) continue;
    const auto k = static_cast<std::size_t>(evaluation.causes[t].learned);
    true_cause[k] = static_cast<std::int64_t>(t);
    count(result.priors, interval95(model.network.causes()[k].prior, model.errors.prior, k),
          truth.causes()[t].prior);
  }
  const auto& edges = model.network.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (true_cause[edges[i].cause] < 0) continue;
    const double failure = truth.failure(static_cast<std::size_t>(true_cause[edges[i].cause]),
                                         position[edges[i].observed]);
    if (failure == 1) continue;  // no such edge
    count(result.failures, interval95(edges[i].failure, model.errors.failure, i), failure);
  }
  for (std::size_t a = 0; a < position.size(); ++a) {
    count(result.leaks, interval95(model.network.observed()[a].leak, model.errors.leak, a),
          truth.observed()[position[a]].leak);
  }
  return result;
}

// The sections.

namespace {

constexpr std::size_t weakest_in_text = 5;
constexpr std::size_t weakest_on_page = 10;
constexpr std::size_t weakest_in_json = 20;

void add_leaks(report::Section& section, const model::LearnedModel& learned) {
  report::Table& leaks = section.table("leaks", "");
  for (std::size_t a = 0; a < learned.network.n_observed(); ++a) {
    const model::Observed& variable = learned.network.observed()[a];
    const auto interval = interval95(variable.leak, learned.errors.leak, a);
    leaks.row()
        .data("observed", variable.name)
        .data("leak", variable.leak)
        .data("leak_interval", interval_json(interval));
  }
}

}  // namespace

void add_weakest_edges(report::Section& section, const model::LearnedModel& learned) {
  std::string note = "those with the least evidence";
  if (learned.stability.resamples > 0) {
    note += fmt::format("; stability is the share of {} bootstrap resamples that have the edge too",
                        learned.stability.resamples);
  }
  report::Table& table = section.table("weakest_edges", "Weakest edges", note);
  table.most_shown = weakest_in_text;
  table.most_on_page = weakest_on_page;
  for (const std::size_t i : weakest_edges(learned, weakest_in_json)) {
    const model::Edge& edge = learned.network.edges()[i];
    const std::string& cause = learned.network.causes()[edge.cause].name;
    const std::string title = report::title_of_cause(learned.network, edge.cause);
    const std::string& variable = learned.network.observed()[edge.observed].name;
    report::Record& row = table.row();
    row.tell("cause", cause, "cause", title).tell("observed", variable, "variable", variable);
    row.tell("failure", edge.failure, "failure", fmt::format("{:.3g}", edge.failure));
    if (!learned.errors.empty()) {
      const auto interval = interval95(edge.failure, learned.errors.failure, i);
      row.tell("failure_interval", interval_json(interval), "95 % interval",
               interval_text(interval));
    }
    if (learned.stability.resamples > 0) {
      const double share = learned.stability.edge[i];
      row.tell("stability", share, "stability", fmt::format("{:.2f}", share));
    }
  }
}

report::Section& add_model(report::Sheet& sheet, const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths, bool list_causes) {
  report::Section& section = sheet.section("model", "The model");
  section.sentences.push_back(fmt::format(
      "{} cause{} of {} variables{}{}", learned.network.n_causes(),
      learned.network.n_causes() == 1 ? "" : "s", learned.network.n_observed(),
      learned.errors.empty() ? "" : ", with 95 % intervals",
      learned.stability.resamples == 0
          ? ""
          : fmt::format(", stability from {} bootstrap resamples", learned.stability.resamples)));
  if (learned.stability.resamples > 0) section.data("resamples", learned.stability.resamples);
  report::Table& causes = section.table("causes", list_causes ? "Causes" : "");
  add_causes(causes, learned, depths);
  add_weakest_edges(section, learned);
  if (!learned.errors.empty()) add_leaks(section, learned);
  return section;
}

// What samples say of the model: likelihoods beside those of the baselines, and the patterns that
// the model predicts worst.

namespace {

constexpr std::size_t worst_in_text = 5;
constexpr std::size_t worst_on_page = 10;
constexpr std::size_t worst_in_json = 20;

void add_patterns(report::Section& section, const char* what, std::span<const PatternCheck> checks,
                  const model::NoisyOrNetwork& network) {
  const double share = share_surprising(checks);
  const std::string key = fmt::format("predictive_check/{}", what);
  section.data(key + "/checked", checks.size()).data(key + "/surprising", share);
  report::Table& table = section.table(
      key + "/worst", fmt::format("Worst {}", what),
      fmt::format("{:.1f} % of {} {} are beyond {} standard deviations of what the model expects; "
                  "rows in which all of them are off",
                  100 * share, format_count(checks.size()), what, surprising_z));
  table.most_shown = worst_in_text;
  table.most_on_page = worst_on_page;
  for (const PatternCheck& check : checks.first(std::min(checks.size(), worst_in_json))) {
    std::vector<std::string> names;
    for (const std::uint32_t a : check.variables) names.push_back(network.observed()[a].name);
    report::Record& row = table.row();
    row.tell("variables", names, "variables", fmt::format("{}", fmt::join(names, " ")));
    row.tell("observed", check.observed, "counted", format_count(check.observed));
    row.tell("rows", check.n_rows, "of rows", format_count(check.n_rows));
    row.tell("expected", check.expected, "expected", fmt::format("{:.1f}", check.expected));
    row.tell("z", check.z, "z", fmt::format("{:+.1f}", check.z));
  }
}

void add_likelihoods(report::Section& section, const DataScores& scores) {
  const auto tell = [&](const char* key, const std::optional<double>& value, const char* label,
                        const std::string& note) {
    if (!value) return;
    section.tell(key, report::finite_or_null(*value), label,
                 std::isfinite(*value) ? fmt::format("{:.4f}", *value) : "-infinity", note);
  };
  const std::string trained =
      fmt::format("fitted to {}", report::count_of(scores.n_train, "training row"));
  tell("log_likelihood", scores.model, "this model", "");
  tell("true_log_likelihood", scores.truth, "true network", "");
  tell("chow_liu_log_likelihood", scores.chow_liu, "Chow-Liu tree",
       "the best tree without hidden causes, " + trained);
  tell("mixture_log_likelihood", scores.mixture, "mixture",
       fmt::format("{} of rows, the variables independent in each, {}",
                   report::count_of(scores.n_components, "kind"), trained));
  tell("independent_log_likelihood", scores.independent, "independent variables", trained);
  if (scores.mixture) section.data("mixture_components", scores.n_components);
  if (scores.n_train > 0) section.data("train_rows", scores.n_train);
}

}  // namespace

void add_data(report::Sheet& sheet, const DataScores& scores,
              const model::NoisyOrNetwork& network) {
  report::Section& section = sheet.section("", "Likelihood");
  section.data("rows", scores.n_samples).data("held_out", scores.held_out);
  if (scores.model || scores.truth || scores.chow_liu) {
    section.sentences.push_back(fmt::format(
        "Mean log-likelihood per row in nats, over {}{}", report::count_of(scores.n_samples, "row"),
        scores.held_out ? "" : " that the model was learned from"));
  }
  add_likelihoods(section, scores);
  add_patterns(section, "pairs", scores.check.pairs, network);
  add_patterns(section, "triples", scores.check.triples, network);
}

// How much of a known truth was found.

namespace {

using nlohmann::json;

std::string of_text(std::size_t hits, std::size_t total) {
  return fmt::format("{} of {}", format_count(hits), format_count(total));
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

/// A true cause and its partner.
void add_match(report::Record& row, const CauseMatch& match, const model::Cause& truth,
               const model::LearnedModel& learned, const std::vector<std::int32_t>& depths) {
  row.tell("true", truth.name, "true cause", truth.name);
  row.tell("recovered", match.recovered, "recovered", match.recovered ? "yes" : "no")
      .judge(report::judged(match.recovered));
  row.show("true prior", fmt::format("{:.4g}", truth.prior));
  if (match.learned < 0) return;
  const auto index = static_cast<std::size_t>(match.learned);
  const model::Cause& cause = learned.network.causes()[index];
  row.show("prior", fmt::format("{:.4g}", cause.prior));
  row.tell("learned", cause.name, "learned as", report::title_of_cause(learned.network, index));
  row.tell("cost", match.cost, "cost", fmt::format("{:.3g}", match.cost));
  row.data("prior_error", match.prior_error);
  row.tell("failure_error", match.failure_error, "failure error",
           fmt::format("{:.2g}", match.failure_error));
  if (!learned.provenance.empty()) row.data("depth", learned.provenance[index].depth);
  if (!depths.empty()) {
    row.tell("structural_depth", depth_json(depths[index]), "depth", depth_text(depths[index]));
  }
}

void add_matches(report::Section& section, const Evaluation& result,
                 const model::LearnedModel& learned, const model::NoisyOrNetwork& truth,
                 const std::vector<std::int32_t>& depths) {
  report::Table& table =
      section.table("causes", result.n_true <= many_causes ? "True causes" : "",
                    "cost: the largest |log ratio| of a learned failure to the true one");
  table.most_on_page = 0;  // the page shows each cause beside the true one
  for (std::size_t u = 0; u < result.n_true; ++u) {
    add_match(table.row(), result.causes[u], truth.causes()[u], learned, depths);
  }
}

void add_edges(report::Section& section, const Evaluation& result) {
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    section.tell(key, value, label, report::short_number(value), note);
  };
  tell("edge_f1", result.edge_f1, "edge F1", "edges of strength 1 - failure above 0.1");
  tell("edge_precision", result.edge_precision, "edge precision", "of the learned edges");
  tell("edge_recall", result.edge_recall, "edge recall", "of the true edges");
  section.data("true_cause_edges", result.n_true_cause_edges)
      .data("learned_cause_edges", result.n_learned_cause_edges)
      .data("common_cause_edges", result.n_common_cause_edges);
  if (result.n_true_cause_edges + result.n_learned_cause_edges == 0) return;
  section.show("edges among causes",
               of_text(result.n_common_cause_edges, result.n_true_cause_edges),
               fmt::format("{} extra", result.n_learned_cause_edges - result.n_common_cause_edges));
}

void add_errors(report::Section& section, const Evaluation& result) {
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    const bool any = result.recovered > 0;
    section.tell(key, any ? json(value) : json(nullptr), label,
                 any ? report::short_number(value) : "none", note);
  };
  tell("mean_prior_error", result.mean_prior_error, "prior error",
       "mean over the recovered causes");
  tell("max_failure_error", result.max_failure_error, "failure error",
       "largest over the true edges of the recovered causes");
  section.tell("max_leak_error", result.max_leak_error, "leak error",
               report::short_number(result.max_leak_error), "largest over the observed variables");
}

/// True parameters inside the 95 % intervals.
void add_coverage(report::Section& section, const Evaluation& result,
                  const model::LearnedModel& learned, const model::NoisyOrNetwork& truth) {
  if (learned.errors.empty()) return;
  const Coverage inside = coverage(learned, truth, result);
  const auto tell = [&](const char* key, const Share& share, const char* label, const char* note) {
    section.tell(key, share_json(share), label, of_text(share.hits, share.total), note);
  };
  tell("coverage/priors", inside.priors, "priors covered",
       "true values inside the 95 % intervals, of the recovered causes");
  tell("coverage/failures", inside.failures, "failures covered", "of the edges they have in truth");
  tell("coverage/leaks", inside.leaks, "leaks covered", "of the observed variables");
}

}  // namespace

json share_json(const Share& share) { return {share.hits, share.total}; }

void add_truth(report::Sheet& sheet, const Evaluation& result, const model::LearnedModel& learned,
               const model::NoisyOrNetwork& truth, const std::vector<std::int32_t>& depths) {
  report::Section& section = sheet.section("", "Scores");
  const bool is_all = result.recovered == result.n_true && result.extra.empty();
  section.judge(fmt::format("{} of {} causes recovered, {} extra", result.recovered, result.n_true,
                            result.extra.size()),
                report::judged(is_all));
  section.data("true_causes", result.n_true)
      .data("learned_causes", result.n_learned)
      .data("min_prior", result.min_prior)
      .data("extra", result.extra.size())
      .data("learned_at_depth", result.learned_at_depth)
      .data("learned_at_structural_depth", count_of_depths(depths));
  section.tell("recovered", result.recovered, "causes recovered",
               of_text(result.recovered, result.n_true),
               fmt::format("each failure within a factor of e, learned prior at least {}",
                           report::short_number(result.min_prior)));
  add_likeness(section, result.likeness, learned.network, truth);
  add_edges(section, result);
  add_errors(section, result);
  add_coverage(section, result, learned, truth);
  if (!depths.empty()) section.show("learned causes", describe_depths(depths));
  add_matches(section, result, learned, truth, depths);
}

}  // namespace orrery::noisy_or
