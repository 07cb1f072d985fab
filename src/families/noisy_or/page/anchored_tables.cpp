// What an anchored network's page says of each cause (Table 2 of the paper), and scores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/anchored_view.hpp"
#include "families/noisy_or/page/anchors.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/sections.hpp"
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

}  // namespace

std::string anchored_causes_section(const AnchoredView& view) {
  const model::NoisyOrNetwork& network = view.network();
  report::Section section;
  report::Table& table = section.table(
      "", "Causes",
      "Beside each anchor, how often it is on without and with its cause; beside each variable, "
      "the probability 1 - failure that the cause switches it on.");
  for (std::size_t i = 0; i < network.n_causes(); ++i) {
    report::Record& row = table.row();
    row.show("cause", network.causes()[i].name)
        .show_html("anchors", "", anchors_text(view, i))
        .show("P(present)", with_error(network.causes()[i].prior, view.learned->errors.prior, i));
    if (view.input->truth != nullptr) {
      const std::int64_t t = view.true_cause[i];
      row.show("true", t < 0 ? "-"
                             : report::short_number(
                                   view.truth().causes()[static_cast<std::size_t>(t)].prior));
    }
    row.show("children", format_count(network.children(i).size()))
        .show_html("variables that it switches on most", "", strongest_loadings(view, i));
  }
  return report::as_html(section);
}

std::string anchored_scores_section(const AnchoredView& view) {
  if (view.input->scores == nullptr) return "";
  report::Sheet sheet;
  add_anchored_truth(sheet, *view.input->scores, *view.input->truth, view.network());
  return report::as_html(sheet.sections.front());
}

}  // namespace orrery::noisy_or
