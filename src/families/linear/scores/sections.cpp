#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "families/linear/scores/scores.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::linear {
namespace {

using nlohmann::json;
using report::short_number;

std::string of_text(std::size_t part, std::size_t whole) {
  return fmt::format("{} of {}", format_count(part), format_count(whole));
}

void add_matches(report::Section& section, const LinearScores& scores,
                 const model::LinearNetwork& truth, const model::LinearNetwork& learned) {
  report::Table& matches = section.table("matches", "");
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    report::Record& row = matches.row();
    row.data("true", truth.cause_names()[t]).data("learned", nullptr);
    if (scores.partner[t] < 0) continue;
    row.data("learned", learned.cause_names()[static_cast<std::size_t>(scores.partner[t])])
        .data("sign", scores.sign[t])
        .data("cosine", scores.cosine[t]);
  }
}

void add_structure(report::Section& section, const LinearScores& scores) {
  section.data("true_causes", scores.n_true_causes)
      .data("learned_causes", scores.n_learned_causes)
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("same_support", scores.same_support())
      .data("precision", scores.precision)
      .data("recall", scores.recall)
      .data("f1", scores.f1);
  const std::size_t n_wrong = scores.n_learned_edges - scores.n_common_edges;
  section.tell("common_edges", scores.n_common_edges, "edges found",
               of_text(scores.n_common_edges, scores.n_true_edges),
               fmt::format("{} wrong; precision {:.3f}, recall {:.3f}, F1 {:.3f}",
                           format_count(n_wrong), scores.precision, scores.recall, scores.f1));
}

void add_errors(report::Section& section, const LinearScores& scores) {
  const auto tell = [&](const std::string& key, double value, const char* label,
                        const std::string& note) {
    section.tell(key, report::finite_or_null(value), label, short_number(value), note);
  };
  tell("loading_error", scores.loading_error, "error of the loadings",
       "relative, Frobenius; largest " + short_number(scores.largest_error));
  section.data("largest_loading_error", report::finite_or_null(scores.largest_error));
  tell("covariance_error", scores.covariance_error, "error of a covariance", "largest, of causes");
  tell("noise_error", scores.noise_error, "error of a noise variance", "largest");
  if (scores.n_with_error > 0) {
    section.tell("coverage", {scores.n_covered, scores.n_with_error}, "inside their intervals",
                 of_text(scores.n_covered, scores.n_with_error), "true loadings, 95 % intervals");
  }
  if (scores.has_coupling) {
    section.data("coupling/true_edges", scores.n_true_couplings)
        .data("coupling/learned_edges", scores.n_learned_couplings)
        .data("coupling/largest_error", report::finite_or_null(scores.coupling_error));
    section.tell("coupling/common_edges", scores.n_common_couplings, "couplings found",
                 of_text(scores.n_common_couplings, scores.n_true_couplings),
                 fmt::format("{} wrong; largest error {}",
                             format_count(scores.n_learned_couplings - scores.n_common_couplings),
                             short_number(scores.coupling_error)));
  }
  if (scores.level_errors.empty()) return;
  json errors = json::array();
  for (const double error : scores.level_errors) {
    errors.push_back(report::finite_or_null(error));
    section.show(fmt::format("level {} above the causes", errors.size()), short_number(error),
                 "largest error of a loading");
  }
  section.data("level_errors", std::move(errors));
}

}  // namespace

void add_truth(report::Sheet& sheet, const LinearScores& scores, const model::LinearNetwork& truth,
               const model::LinearNetwork& learned) {
  report::Section& section = sheet.section("", "Beside the true network");
  const auto n_matched = static_cast<std::size_t>(
      std::ranges::count_if(scores.partner, [](std::int64_t partner) { return partner >= 0; }));
  section.sentences.push_back(fmt::format(
      "{} of {} causes matched{}; {} of {} edges found, {} wrong{}", n_matched,
      scores.n_true_causes,
      scores.n_learned_causes > n_matched
          ? fmt::format(", {} learned besides", scores.n_learned_causes - n_matched)
          : "",
      scores.n_common_edges, scores.n_true_edges, scores.n_learned_edges - scores.n_common_edges,
      scores.same_support() ? ": the structure is exact" : ""));
  add_structure(section, scores);
  add_errors(section, scores);
  add_matches(section, scores, truth, learned);
}

void add_data(report::Sheet& sheet, const LinearDataScores& scores) {
  report::Section& section = sheet.section("", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, all variables taken as normal, over {}{}{}",
                  report::count_of(scores.n_rows, "row"),
                  scores.n_missing > 0
                      ? fmt::format(" ({} missing)", report::count_of(scores.n_missing, "value"))
                      : "",
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.n_rows)
      .data("missing_values", scores.n_missing)
      .data("held_out", scores.held_out);
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    section.tell(key, report::finite_or_null(value), label, fmt::format("{:.4f}", value), note);
  };
  tell("log_likelihood", scores.model, "this model", "");
  if (scores.truth) tell("true_log_likelihood", *scores.truth, "true network", "");
  tell("independent_log_likelihood", scores.independent, "independent variables",
       "the model without its causes");
}

std::vector<std::string> titles_of_causes(const model::LinearNetwork& network) {
  const Eigen::MatrixXd& loadings = network.loadings();
  const Eigen::VectorXd variances =
      (loadings * network.covariance()).cwiseProduct(loadings).rowwise().sum() + network.noise();
  std::vector<std::string> titles;
  for (Eigen::Index j = 0; j < loadings.cols(); ++j) {
    const Eigen::VectorXd scaled =
        loadings.col(j).array() / variances.cwiseMax(1e-300).cwiseSqrt().array();
    std::vector<std::string> children;
    for (const Entry& entry : strongest(scaled)) {
      if (children.size() == report::most_titling_children) break;
      children.push_back(network.names()[static_cast<std::size_t>(entry.row)]);
    }
    titles.push_back(
        report::title_of_cause(network.cause_names()[static_cast<std::size_t>(j)], children));
  }
  return titles;
}

std::vector<Entry> strongest(const Eigen::MatrixXd& matrix) {
  std::vector<Entry> entries;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) != 0) entries.push_back({i, j, matrix(i, j)});
    }
  }
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return entries;
}

// What a linear network says of itself.

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::LearnedLinear;
using model::LinearNetwork;
using nlohmann::json;
using Names = std::vector<std::string>;

constexpr std::size_t listed_edges = 5;

/// NaN: not known.
double error_of(const MatrixXd& errors, Index row, Index column) {
  return errors.size() == 0 ? std::numeric_limits<double>::quiet_NaN() : errors(row, column);
}

/// "0.82 (+- 0.01)"
std::string with_error(double value, double error) {
  return std::isfinite(error) ? fmt::format("{:.3g} (+- {:.2g})", value, error)
                              : fmt::format("{:.3g}", value);
}

const std::string& name_of(const Names& names, Index i) {
  return names[static_cast<std::size_t>(i)];
}

/// A row per hidden variable, with its strongest edges to the level below.
/// `titles`: of each, or empty: what it is called.
void add_hidden(report::Table& table, const MatrixXd& loadings, const MatrixXd& errors,
                const Names& names, const Names& below, const Names& titles) {
  for (Index j = 0; j < loadings.cols(); ++j) {
    const std::vector<Entry> edges = strongest(loadings.col(j));
    json strongest = json::array();
    std::string text;
    for (std::size_t e = 0; e < std::min(edges.size(), listed_edges); ++e) {
      const Entry& edge = edges[e];
      const double error = error_of(errors, edge.row, j);
      strongest.push_back({{"name", name_of(below, edge.row)},
                           {"loading", edge.value},
                           {"error", report::finite_or_null(error)}});
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(below, edge.row),
                          with_error(edge.value, error));
    }
    if (edges.size() > listed_edges) text += ", ...";
    const std::string& name = name_of(names, j);
    report::Record& row = table.row();
    if (!titles.empty()) row.data("title", name_of(titles, j));
    row.tell("name", name, "cause", titles.empty() ? name : name_of(titles, j))
        .tell("edges", edges.size(), "edges", fmt::format("{}", edges.size()))
        .tell("strongest", std::move(strongest), "strongest edges", text);
  }
}

/// Couplings of the causes, else their covariances, of each pair once.
void add_dependence(report::Section& section, const LearnedLinear& learned, bool shown) {
  const LinearNetwork& network = learned.network;
  const auto& upper = network.upper();
  const bool coupled = network.has_coupling();
  const MatrixXd pairs = network.parts().covariance.triangularView<Eigen::StrictlyLower>();
  const Names& names = coupled || upper.empty() ? network.cause_names() : upper.back().names;
  const MatrixXd none;
  const MatrixXd& errors = coupled         ? learned.coupling_errors
                           : upper.empty() ? learned.covariance_errors
                                           : none;
  const char* title = coupled         ? "Couplings"
                      : upper.empty() ? "Covariances of causes"
                                      : "Covariances of the highest level";
  report::Table& table = section.table(coupled ? "couplings" : "covariances", shown ? title : "");
  table.most_shown = 10;
  for (const Entry& entry : strongest(coupled ? network.coupling() : pairs)) {
    const double error = error_of(errors, entry.row, entry.column);
    const std::string& from = name_of(names, entry.column);
    const std::string& to = name_of(names, entry.row);
    table.row()
        .tell("from", from, coupled ? "from" : "cause", from)
        .tell("to", to, coupled ? "to" : "and", to)
        .tell("value", entry.value, "value", with_error(entry.value, error))
        .data("error", report::finite_or_null(error));
  }
}

void add_levels(report::Section& section, const LinearNetwork& network, bool shown) {
  if (network.upper().empty()) return;
  json levels = json::array();
  const Names* below = &network.cause_names();
  for (const model::UpperLevel& level : network.upper()) {
    report::Table& table =
        section.table("", shown ? fmt::format("Level {} above the causes", levels.size() + 1) : "");
    add_hidden(table, level.loadings, {}, level.names, *below, {});
    levels.push_back(report::rows_json(table));
    below = &level.names;
  }
  section.data("levels", std::move(levels));
}

void add_rank_test(report::Section& section, const std::vector<model::RankStep>& steps,
                   bool shown) {
  if (steps.empty()) return;
  report::Table& table = section.table("rank_test", shown ? "Rank test" : "",
                                       "what a rank leaves, and what is expected if it holds");
  for (const model::RankStep& step : steps) {
    table.row()
        .tell("rank", step.rank, "rank", fmt::format("{}", step.rank))
        .tell("statistic", report::finite_or_null(step.statistic), "statistic",
              fmt::format("{:.3g}", step.statistic))
        .tell("expected", report::finite_or_null(step.expected), "expected",
              with_error(step.expected, step.error))
        .data("error", report::finite_or_null(step.error));
  }
}

}  // namespace

void add_model(report::Section& section, const LearnedLinear& learned, bool shown) {
  const LinearNetwork& network = learned.network;
  add_hidden(section.table("causes", shown ? "Causes" : ""), network.loadings(),
             learned.loading_errors, network.cause_names(), network.names(),
             titles_of_causes(network));
  add_dependence(section, learned, shown);
  add_levels(section, network, shown);
  add_rank_test(section, learned.rank_test, shown);
}

}  // namespace orrery::linear
