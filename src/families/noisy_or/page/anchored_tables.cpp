// What an anchored network's page says of each cause (Table 2 of the paper), and scores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/anchored_view.hpp"
#include "families/noisy_or/page/anchors.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::AnchorRates;
using model::Edge;

constexpr std::size_t most_effects_shown = 8;
constexpr std::size_t max_anchored_name = 40;

std::string rates_text(const AnchoredView& view, std::size_t anchor) {
  if (view.learned->rates.empty()) {
    const auto [off, on] = view.network().anchor_rates(anchor);
    return fmt::format("{} | {}", report::short_number(off), report::short_number(on));
  }
  const AnchorRates& rates = view.learned->rates[anchor];
  return fmt::format("{} | {}{}", with_error(rates.off, rates.off_error),
                     with_error(rates.on, rates.on_error),
                     rates.source.empty()
                         ? ""
                         : ", " + report::escape(report::shorten(rates.source, max_anchored_name)));
}

/// Names of a union's columns, or the variable's own.
std::string anchor_name(const AnchoredView& view, const Anchor& anchor) {
  if (anchor.columns.size() < 2) {
    return report::escape(
        report::shorten(view.network().observed()[anchor.observed].name, max_anchored_name));
  }
  std::string names;
  for (const std::string& column : anchor.columns) {
    names +=
        (names.empty() ? "" : " or ") + report::escape(report::shorten(column, max_anchored_name));
  }
  return names;
}

std::string anchors_text(const AnchoredView& view, std::size_t cause) {
  std::string out;
  const auto& anchors = view.learned->network.anchors();
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i].cause != cause) continue;
    append_text(out, "<span>{} <i>{}</i></span>", anchor_name(view, anchors[i]),
                rates_text(view, i));
  }
  return out.empty() ? "none" : out;
}

/// The lowest failures first; anchors stand in their own column.
std::string strongest_loadings(const AnchoredView& view, std::size_t cause) {
  const model::NoisyOrNetwork& network = view.network();
  const auto children = network.children(cause);
  std::vector<std::size_t> edges;
  for (const Edge& edge : children) {
    if (!is_anchor(view.learned->network, edge)) {
      edges.push_back(static_cast<std::size_t>(&edge - network.edges().data()));
    }
  }
  std::ranges::stable_sort(edges, {}, [&](std::size_t e) { return network.edges()[e].failure; });
  std::string out;
  for (std::size_t i = 0; i < std::min(edges.size(), most_effects_shown); ++i) {
    const Edge& edge = network.edges()[edges[i]];
    append_text(
        out, "<span>{} <i>{}</i></span>",
        report::escape(report::shorten(network.observed()[edge.observed].name, max_anchored_name)),
        with_error(1 - edge.failure, view.learned->errors.failure, edges[i]));
  }
  if (edges.size() > most_effects_shown) {
    append_text(out, "<i>and {} more</i>", format_count(edges.size() - most_effects_shown));
  }
  return out;
}

std::string true_cells(const AnchoredView& view, std::size_t cause) {
  if (view.input->truth == nullptr) return "";
  const std::int64_t t = view.true_cause[cause];
  if (t < 0) return report::number_cell("no true cause");
  const auto at = static_cast<std::size_t>(t);
  return report::number_cell(report::short_number(view.truth().causes()[at].prior));
}

}  // namespace

std::string anchored_causes_section(const AnchoredView& view) {
  const model::NoisyOrNetwork& network = view.network();
  std::string rows;
  for (std::size_t i = 0; i < std::min(network.n_causes(), report::most_listed_rows); ++i) {
    append_text(
        rows,
        "<tr><td>{}</td><td class=\"list\">{}</td>{}{}{}<td class=\"list\">{}</td>"
        "</tr>\n",
        report::escape(report::shorten(network.causes()[i].name, max_anchored_name)),
        anchors_text(view, i),
        report::number_cell(with_error(network.causes()[i].prior, view.learned->errors.prior, i)),
        true_cells(view, i), report::number_cell(format_count(network.children(i).size())),
        strongest_loadings(view, i));
  }
  return report::table_section(
      "Causes",
      "Beside each anchor, how often it is on without and with its cause; beside each variable, "
      "the probability 1 &#8722; failure that the cause switches it on." +
          report::cut_note(network.n_causes()),
      report::head_cell("cause") + "<th scope=\"col\" class=\"list\">anchors</th>" +
          report::head_cell("P(present)", true) +
          (view.input->truth != nullptr ? report::head_cell("true", true) : "") +
          report::head_cell("children", true) +
          "<th scope=\"col\" class=\"list\">what it brings most</th>",
      rows);
}

std::string anchored_scores_section(const AnchoredView& view) {
  if (view.input->scores == nullptr) return "";
  const AnchoredScores& scores = *view.input->scores;
  std::string rows = report::score_row(
      "edges among causes", fmt::format("F1 {:.3f}", scores.f1),
      fmt::format("precision {:.3f}, recall {:.3f}, whatever their direction; causes matched by {}",
                  scores.precision, scores.recall, scores.by_name ? "name" : "their loadings"));
  if (scores.kl_from_truth) {
    const double kl = *scores.kl_from_truth;
    rows += report::score_row("divergence of the causes",
                              std::isfinite(kl) ? report::short_number(kl) + " nats" : "infinite",
                              "KL(true, learned) of the distribution of all causes");
  }
  rows += report::score_row("error of a failure", report::short_number(scores.median_failure_error),
                            fmt::format("median of {}; mean {}, largest {}",
                                        report::count_of(scores.n_true_loadings, "true loading"),
                                        report::short_number(scores.mean_failure_error),
                                        report::short_number(scores.max_failure_error)));
  rows += report::score_row(
      "loadings that are not true", format_count(scores.n_extra_loadings),
      scores.n_extra_loadings == 0
          ? ""
          : "mean 1 &#8722; failure " + report::short_number(scores.mean_extra_strength));
  rows += report::score_row("error of a leak", report::short_number(scores.mean_leak_error),
                            "mean; largest " + report::short_number(scores.max_leak_error));
  rows += report::score_row("error of a prior", report::short_number(scores.mean_prior_error),
                            "mean; largest " + report::short_number(scores.max_prior_error));
  if (scores.n_with_error > 0) {
    rows += report::score_row(
        "inside their intervals",
        fmt::format("{} of {}", format_count(scores.n_covered), format_count(scores.n_with_error)),
        "true failures, leaks and priors; 95 % intervals");
  }
  return report::scores_section("Beside the true network", rows);
}

}  // namespace orrery::noisy_or
