// What a linear network's page says in tables: remarks, scores, causes, the rank test, variables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/page/page.hpp"
#include "families/linear/scores/sections.hpp"
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
  const auto entries = strongest(view.learned.network.loadings().col(column));
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

void show_true_cause(report::Record& row, const LinearView& view, std::size_t cause) {
  const std::int64_t t = view.truth->of[cause];
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(t, 0));
  row.show("true cause", t < 0 ? "none"
                               : fmt::format("{}{}", view.truth->sign[cause] < 0 ? "-" : "",
                                             view.truth->network.cause_names()[at]));
  row.show("|cosine|", t < 0 ? "" : report::short_number(view.input->scores->cosine[at]));
}

/// The share of a variable's variance that is not noise.
double explained(const LinearView& view, Index i) {
  const double variance = view.deviations(i) * view.deviations(i);
  return variance > 0 ? 1 - view.learned.network.noise()(i) / variance : 0;
}

}  // namespace

std::string causes_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  report::Section section;
  report::Table& table = section.table(
      "", "Causes",
      network.has_coupling() ? "Innovation: the variance that other causes do not explain."
                             : "Each with the variables that it moves most.");
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    const auto column = static_cast<Index>(j);
    const auto n_edges =
        static_cast<std::uint64_t>((network.loadings().col(column).array() != 0).count());
    report::Record& row = table.row();
    row.show("cause", network.cause_names()[j]).show("edges", format_count(n_edges));
    if (network.has_coupling()) {
      row.show("innovation", report::short_number(network.innovation()(column)));
    }
    if (view.truth) show_true_cause(row, view, j);
    row.show_html("strongest variables", "", strongest_edges(view, j));
  }
  return report::as_html(section);
}

std::string variables_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const MatrixXd errors = view.learned.noise_errors;  // n x 1, or empty
  report::Section section;
  report::Table& table =
      section.table("", "Variables", "Explained: the share of the variance that is not noise.");
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto at = static_cast<Index>(i);
    const double share = explained(view, at);
    report::Record& row = table.row();
    row.show("variable", network.names()[i])
        .show("mean", report::short_number(network.means()(at)))
        .show("standard deviation", report::short_number(view.deviations(at)))
        .show("noise variance", value_text(network.noise()(at), errors, at, 0));
    if (view.truth) {
      row.show("true noise variance", report::short_number(view.truth->network.noise()(at)));
    }
    row.show_share("explained", fmt::format("{:.3f}", share), std::max(share, 0.0));
  }
  return report::as_html(section);
}

std::string rank_section(const LinearView& view) {
  report::Section section;
  report::Table& table = section.table(
      "", "How many causes",
      "If there are so many causes, what they leave of the covariance is noise: the statistic is "
      "about as large as expected. Off: in standard errors.");
  for (const model::RankStep& step : view.learned.rank_test) {
    const bool chosen = step.rank == view.learned.network.n_causes();
    const double z = step.error > 0 ? (step.statistic - step.expected) / step.error : 0;
    table.row()
        .show("causes", fmt::format("{}{}", step.rank, chosen ? " (chosen)" : ""))
        .show("statistic", report::short_number(step.statistic))
        .show("expected", report::short_number(step.expected))
        .show("standard error", report::short_number(step.error))
        .show("off", step.error > 0 ? fmt::format("{:.1f}", z) : "");
  }
  return report::as_html(section);
}

std::string linear_scores_section(const LinearView& view) {
  if (view.input->scores == nullptr) return "";
  report::Sheet sheet;
  add_truth(sheet, *view.input->scores, *view.input->truth, view.learned.network);
  return report::as_html(sheet.sections.front());
}

}  // namespace orrery::linear
