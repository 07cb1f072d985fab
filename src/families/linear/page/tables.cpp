// What a linear network's page says in tables: remarks, scores, causes, the rank test, variables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/network/strongest.hpp"
#include "families/linear/page/view.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_loadings_shown = 8;
constexpr std::size_t max_linear_name = 40;

std::string strongest_edges(const LinearView& view, std::size_t cause) {
  const auto column = static_cast<Index>(cause);
  const auto entries = model::strongest(view.learned.network.loadings().col(column));
  std::string out;
  for (std::size_t e = 0; e < std::min(entries.size(), most_loadings_shown); ++e) {
    const auto i = static_cast<std::size_t>(entries[e].row);
    append_text(out, "<span>{} <i>{}</i></span>",
                report::escape(report::shorten(view.learned.network.names()[i], max_linear_name)),
                value_text(entries[e].value, view.learned.loading_errors, entries[e].row, column));
  }
  if (entries.size() > most_loadings_shown) {
    append_text(out, "<i>and {} more</i>", format_count(entries.size() - most_loadings_shown));
  }
  return out;
}

std::string true_cause_cell(const LinearView& view, std::size_t cause) {
  const std::int64_t t = view.truth->of[cause];
  if (t < 0) return "<td>none</td>" + report::number_cell("");
  const auto at = static_cast<std::size_t>(t);
  return fmt::format("<td>{}{}</td>", view.truth->sign[cause] < 0 ? "&#8722;" : "",
                     report::escape(
                         report::shorten(view.truth->network.cause_names()[at], max_linear_name))) +
         report::number_cell(report::short_number(view.input->scores->cosine[at]));
}

/// The share of a variable's variance that is not noise.
double explained(const LinearView& view, Index i) {
  const double variance = view.deviations(i) * view.deviations(i);
  return variance > 0 ? 1 - view.learned.network.noise()(i) / variance : 0;
}

}  // namespace

std::string causes_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  if (network.n_causes() == 0) return "";
  std::string rows;
  for (std::size_t j = 0; j < std::min(network.n_causes(), report::most_listed_rows); ++j) {
    const MatrixXd column = network.loadings().col(static_cast<Index>(j));
    append_text(
        rows, "<tr><td>{}</td>{}{}{}<td class=\"list\">{}</td></tr>\n",
        report::escape(report::shorten(network.cause_names()[j], max_linear_name)),
        report::number_cell(
            format_count(static_cast<std::uint64_t>((column.array() != 0).count()))),
        network.has_coupling()
            ? report::number_cell(report::short_number(network.innovation()(static_cast<Index>(j))))
            : "",
        view.truth ? true_cause_cell(view, j) : "", strongest_edges(view, j));
  }
  return report::table_section(
      "Causes",
      fmt::format("{}{}",
                  network.has_coupling()
                      ? "Innovation: the variance that other causes do not explain."
                      : "Each with the variables that it moves most.",
                  report::cut_note(network.n_causes())),
      report::head_cell("cause") + report::head_cell("edges", true) +
          (network.has_coupling() ? report::head_cell("innovation", true) : "") +
          (view.truth ? report::head_cell("true cause") + report::head_cell("|cosine|", true)
                      : "") +
          "<th scope=\"col\" class=\"list\">strongest variables</th>",
      rows);
}

std::string variables_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const MatrixXd errors = view.learned.noise_errors;  // n x 1, or empty
  std::string rows;
  const std::size_t n = std::min(network.n_observed(), report::most_listed_rows);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Index>(i);
    const double share = explained(view, at);
    append_text(
        rows, "<tr><td>{}</td>{}{}{}{}<td class=\"n bar\" style=\"--v:{:.1f}%\">{:.3f}</td></tr>\n",
        report::escape(report::shorten(network.names()[i], max_linear_name)),
        report::number_cell(report::short_number(network.means()(at))),
        report::number_cell(report::short_number(view.deviations(at))),
        report::number_cell(value_text(network.noise()(at), errors, at, 0)),
        view.truth ? report::number_cell(report::short_number(view.truth->network.noise()(at)))
                   : "",
        100 * share, share);
  }
  return report::table_section(
      "Variables",
      "Explained: the share of the variance that is not noise." +
          report::cut_note(network.n_observed()),
      report::head_cell("variable") + report::head_cell("mean", true) +
          report::head_cell("standard deviation", true) +
          report::head_cell("noise variance", true) +
          (view.truth ? report::head_cell("true noise variance", true) : "") +
          report::head_cell("explained", true),
      rows);
}

std::string rank_section(const LinearView& view) {
  if (view.learned.rank_test.empty()) return "";
  std::string rows;
  for (const model::RankStep& step : view.learned.rank_test) {
    const bool chosen = step.rank == view.learned.network.n_causes();
    const double z = step.error > 0 ? (step.statistic - step.expected) / step.error : 0;
    append_text(rows, "<tr><td>{}{}</td>{}{}{}{}</tr>\n", step.rank,
                chosen ? " <small>(chosen)</small>" : "",
                report::number_cell(report::short_number(step.statistic)),
                report::number_cell(report::short_number(step.expected)),
                report::number_cell(report::short_number(step.error)),
                report::number_cell(step.error > 0 ? fmt::format("{:.1f}", z) : ""));
  }
  return report::table_section(
      "How many causes",
      "If there are so many causes, what they leave of the covariance is noise: the statistic is "
      "about as large as expected. Off: in standard errors.",
      report::head_cell("causes") + report::head_cell("statistic", true) +
          report::head_cell("expected", true) + report::head_cell("standard error", true) +
          report::head_cell("off", true),
      rows);
}

std::string linear_scores_section(const LinearView& view) {
  if (view.input->scores == nullptr) return "";
  const LinearScores& scores = *view.input->scores;
  std::string rows;
  const auto row = [&](const std::string& what, const std::string& value, const std::string& note) {
    rows += report::score_row(what, value, note);
  };
  row("F1 of edges", fmt::format("{:.3f}", scores.f1),
      fmt::format("precision {:.3f}, recall {:.3f}", scores.precision, scores.recall));
  row("relative error", report::short_number(scores.loading_error),
      "of all loadings (Frobenius), causes matched up to order and sign");
  row("largest error of a loading", report::short_number(scores.largest_error), "");
  row("largest error of E[hh&#7488;]", report::short_number(scores.covariance_error),
      "of matched causes");
  row("largest error of a noise variance", report::short_number(scores.noise_error), "");
  if (scores.n_with_error > 0) {
    row("inside their intervals",
        fmt::format("{} of {}", format_count(scores.n_covered), format_count(scores.n_with_error)),
        "true loadings, 95 % intervals");
  }
  if (scores.has_coupling) {
    row("couplings", fmt::format("{} of {}", scores.n_common_couplings, scores.n_true_couplings),
        fmt::format("{} wrong; the largest error is {}",
                    scores.n_learned_couplings - scores.n_common_couplings,
                    report::short_number(scores.coupling_error)));
  }
  for (std::size_t level = 0; level < scores.level_errors.size(); ++level) {
    row(fmt::format("level {} above", level + 1), report::short_number(scores.level_errors[level]),
        "largest error of a loading");
  }
  return report::scores_section("Beside the true network", rows);
}

}  // namespace orrery::linear
