// The page of an anchored network: what was learned in a line, the graph of the causes, what each
// brings, and beside a truth what of it was found.
#include "families/noisy_or/page/anchored_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {

// Each cause: its anchors and what it brings most (Table 2 of the paper); and scores.

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
  const bool has_anchors = !network.anchors().empty();
  report::Section section;
  report::Table& table = section.table(
      "", "Causes",
      fmt::format(
          "{}eside each variable, the probability 1 - failure that the cause switches it on.",
          has_anchors ? "Beside each anchor, how often it is on without and with its cause; b"
                      : "B"));
  table.is_stacked = true;
  for (std::size_t i = 0; i < network.n_causes(); ++i) {
    report::Record& row = table.row();
    row.show("cause", view.cause_name(i));
    if (has_anchors) row.show_html("anchors", "", anchors_text(view, i));
    row.show("P(present)", with_error(network.causes()[i].prior, view.learned->errors.prior, i));
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

namespace {

std::string summary(const AnchoredView& view) {
  if (view.input->scores == nullptr) {
    return fmt::format("{} of {}", report::count_of(view.network().n_causes(), "cause"),
                       report::count_of(view.network().n_observed(), "variable"));
  }
  const AnchoredScores& scores = *view.input->scores;
  return fmt::format("{} of {} among causes found", format_count(scores.n_common_edges),
                     report::count_of(scores.n_true_edges, "edge"));
}

std::string detail(const AnchoredView& view) {
  const model::LearnedModel& learned = *view.learned;
  std::string out = fmt::format(
      "{}, {}, {}{}, {} among causes", report::count_of(view.network().n_causes(), "cause"),
      report::count_of(view.network().n_observed(), "variable"),
      learned.network.anchors().empty()
          ? ""
          : report::count_of(learned.network.anchors().size(), "anchor") + ", ",
      report::count_of(view.network().edges().size(), "loading"),
      report::count_of(learned.network.cause_network().n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (view.input->scores == nullptr) return out;
  const AnchoredScores& scores = *view.input->scores;
  return out + report::wrong_and_missed(scores.wrong.size(), scores.missing.size());
}

}  // namespace

std::string with_error(double value, double error) {
  if (!(error > 0) || !std::isfinite(error)) return report::short_number(value);
  return fmt::format("{} ± {}", report::short_number(value), report::short_number(error));
}

std::string with_error(double value, const std::vector<double>& errors, std::size_t index) {
  return with_error(value, index < errors.size() ? errors[index] : 0);
}

AnchoredView view_anchored(const AnchoredReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  AnchoredView view;
  view.input = &input;
  view.learned = input.model;
  view.titles = report::titles_of_causes(input.model->network);
  view.edges = cause_edges(input.model->network.cause_network());
  view.true_cause.assign(input.model->network.n_causes(), -1);
  if (input.scores == nullptr) return view;
  for (std::size_t t = 0; t < input.scores->partner.size(); ++t) {
    const std::int64_t partner = input.scores->partner[t];
    if (partner < 0) continue;
    view.true_cause[static_cast<std::size_t>(partner)] = static_cast<std::int64_t>(t);
  }
  return view;
}

std::string anchored_html_report(const AnchoredReportInput& input) {
  const AnchoredView view = view_anchored(input);
  return report::html_page(
      {input.title, summary(view), detail(view), verdict_of(view),
       report::remarks_section(view.learned->remarks) + cause_graph_section(view) +
           anchored_causes_section(view) + anchored_scores_section(view) + failures_section(view) +
           cause_edges_section(view),
       "An anchor is a variable that one cause alone switches on."},
      input.colophon);
}

// True failures against learned ones: a point an edge that either network has.

namespace {

constexpr double scatter_side = 380;
constexpr double scatter_left = 46;
constexpr double scatter_top = 12;
constexpr double scatter_bottom = 42;
constexpr std::size_t most_points = 5'000;

struct FailurePair {
  std::uint32_t cause = 0;     // learned
  std::uint32_t observed = 0;  // learned
  double learned = 1;
  double truth = 1;
  bool anchor = false;
};

/// Of each learned variable the true one: by name, or by place where no name is shared; -1: none.
std::vector<std::int64_t> true_variables(const AnchoredView& view) {
  const auto& learned = view.network().observed();
  const auto& truth = view.truth().observed();
  std::map<std::string, std::int64_t> places;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    places.emplace(truth[i].name, static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> found(learned.size(), -1);
  bool any = false;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const auto place = places.find(learned[i].name);
    if (place == places.end()) continue;
    found[i] = place->second;
    any = true;
  }
  for (std::size_t i = 0; !any && i < std::min(learned.size(), truth.size()); ++i) {
    found[i] = static_cast<std::int64_t>(i);
  }
  return found;
}

std::vector<FailurePair> pairs_of(const AnchoredView& view) {
  const std::vector<std::int64_t> variables = true_variables(view);
  const model::NoisyOrNetwork& truth = view.truth();
  std::vector<FailurePair> pairs;
  for (std::uint32_t i = 0; i < view.network().n_causes(); ++i) {
    if (view.true_cause[i] < 0) continue;
    const std::vector<double> learned = view.network().dense_failures(i);
    const std::vector<double> real =
        truth.dense_failures(static_cast<std::size_t>(view.true_cause[i]));
    for (std::uint32_t j = 0; j < learned.size(); ++j) {
      if (variables[j] < 0) continue;
      const double true_failure = real[static_cast<std::size_t>(variables[j])];
      if (learned[j] == 1 && true_failure == 1) continue;
      pairs.push_back(
          {i, j, learned[j], true_failure, is_anchor(view.learned->network, {i, j, 0})});
    }
  }
  return pairs;
}

double x_of(double failure) { return scatter_left + scatter_side * failure; }
double y_of(double failure) { return scatter_top + scatter_side * (1 - failure); }

std::string axes() {
  std::string out = fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><path class=\"even\" "
      "d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n",
      scatter_left, scatter_top, scatter_side, scatter_side, x_of(0), y_of(0), x_of(1), y_of(1));
  for (int tick = 0; tick <= 4; ++tick) {
    const double value = tick / 4.;
    append_text(out,
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text><text "
                "x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\" text-anchor=\"end\">{}</text>\n",
                x_of(value), scatter_top + scatter_side + 16, value, scatter_left - 6, y_of(value),
                value);
  }
  append_text(out,
              "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">true failure</text><text "
              "transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">learned "
              "failure</text>\n",
              x_of(.5), scatter_top + scatter_side + 34, y_of(.5));
  return out;
}

void draw_point(const AnchoredView& view, const FailurePair& pair, std::string& out) {
  const char* kind = pair.anchor         ? "anchor"
                     : pair.truth == 1   ? "wrong"
                     : pair.learned == 1 ? "lacking"
                                         : "found";
  append_text(out,
              "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} \u2192 {}: "
              "learned {}, true {}</title></circle>\n",
              kind, x_of(pair.truth), y_of(pair.learned),
              report::escape(view.cause_name(pair.cause)),
              report::escape(view.network().observed()[pair.observed].name),
              pair.learned == 1 ? "no edge" : report::short_number(pair.learned),
              pair.truth == 1 ? "no edge" : report::short_number(pair.truth));
}

}  // namespace

std::string failures_section(const AnchoredView& view) {
  if (view.input->truth == nullptr) return "";
  std::vector<FailurePair> pairs = pairs_of(view);
  if (pairs.empty()) return "";
  std::string note =
      "A point a loading, of matched causes; on the line what was learned is true. At the right "
      "edge there "
      "is none in truth, at the upper edge none was learned. "
      "<span class=\"legend\"><span class=\"dot found\"></span>in both</span> "
      "<span class=\"legend\"><span class=\"dot anchor\"></span>anchor</span> "
      "<span class=\"legend\"><span class=\"dot wrong\"></span>not true</span> "
      "<span class=\"legend\"><span class=\"dot lacking\"></span>true, not learned</span>";
  if (pairs.size() > most_points) {
    note += fmt::format(" {} of {} are drawn, those that are furthest off.",
                        report::count_of(most_points, "point"),
                        report::count_of(pairs.size(), "point"));
    std::ranges::stable_sort(
        pairs, {}, [](const FailurePair& pair) { return -std::abs(pair.learned - pair.truth); });
    pairs.resize(most_points);
  }
  std::string out = report::open_svg(scatter_left + scatter_side + 16,
                                     scatter_top + scatter_side + scatter_bottom, "scatter",
                                     "Failures, learned against true") +
                    "\n" + axes();
  for (const FailurePair& pair : pairs) draw_point(view, pair, out);
  return report::scroll_section("Failures", note, out + "</svg>\n");
}

}  // namespace orrery::noisy_or
