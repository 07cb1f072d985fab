// How hidden causes depend on each other: a Bayesian network as a graph, its edges as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "families/noisy_or/page/anchored_view.hpp"
#include "families/noisy_or/page/dag_drawing.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/cause_dependence.hpp"
#include "report/sections.hpp"
#include "report/sheet.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using Ends = AnchoredScores::Ends;

constexpr std::size_t most_anchored_nodes = 150;
// Ordering them takes time quadratic in their number.
constexpr std::size_t most_anchored_arrows = 500;

Ends ends_of(std::size_t a, std::size_t b) {
  return {static_cast<std::uint32_t>(std::min(a, b)), static_cast<std::uint32_t>(std::max(a, b))};
}

/// Pairs of learned causes whose edge is not true, whatever its direction.
std::set<Ends> wrong_pairs(const AnchoredView& view) {
  if (view.input->scores == nullptr) return {};
  return {view.input->scores->wrong.begin(), view.input->scores->wrong.end()};
}

std::string pair_name(const AnchoredView& view, const CauseEdge& edge) {
  return fmt::format("{} \u2192 {}", view.cause_name(edge.parent), view.cause_name(edge.child));
}

const char* measure(const CauseEdges& edges) { return edges.exact ? "correlation" : "effect"; }

/// Learned edges, and true ones between causes that were matched, in places of `order`.
std::vector<report::GraphArrow> arrows_of(const AnchoredView& view,
                                          const std::vector<std::size_t>& place) {
  std::vector<report::GraphArrow> arrows;
  const std::set<Ends> wrong = wrong_pairs(view);
  for (const CauseEdge& edge : view.edges.edges) {
    const bool is_wrong = wrong.contains(ends_of(edge.parent, edge.child));
    const double value = std::isnan(edge.correlation) ? 0 : edge.correlation;
    arrows.push_back({place[edge.parent], place[edge.child], value,
                      fmt::format("{}: {} {}{}", pair_name(view, edge), measure(view.edges),
                                  report::short_number(value), is_wrong ? ", not true" : ""),
                      is_wrong ? report::ArrowKind::wrong : report::ArrowKind::learned});
  }
  if (view.input->scores == nullptr) return arrows;
  const std::set<Ends> missing(view.input->scores->missing.begin(),
                               view.input->scores->missing.end());
  const CauseEdges true_edges = cause_edges(view.truth().cause_network());
  for (const CauseEdge& edge : true_edges.edges) {
    if (!missing.contains(ends_of(edge.parent, edge.child))) continue;
    const std::int64_t from = view.input->scores->partner[edge.parent];
    const std::int64_t to = view.input->scores->partner[edge.child];
    if (from < 0 || to < 0) continue;
    const auto a = static_cast<std::uint32_t>(from);
    const auto b = static_cast<std::uint32_t>(to);
    const double value = std::isnan(edge.correlation) ? 0 : edge.correlation;
    arrows.push_back({place[a], place[b], value,
                      fmt::format("{}: not learned; true {} {}", pair_name(view, {a, b, value}),
                                  measure(true_edges), report::short_number(value)),
                      report::ArrowKind::lacking});
  }
  return arrows;
}

std::vector<report::GraphNode> nodes_of(const AnchoredView& view,
                                        const std::vector<std::uint32_t>& order) {
  std::vector<report::GraphNode> nodes;
  for (const std::uint32_t cause : order) {
    nodes.push_back({view.cause_name(cause),
                     fmt::format("{}: P(present) = {}", view.cause_name(cause),
                                 report::short_number(view.network().causes()[cause].prior))});
  }
  return nodes;
}

std::string note_of(const AnchoredView& view) {
  std::string note = fmt::format(
      "An arrow is as wide as its {} is large: {}{}",
      view.edges.exact ? "correlation" : "effect on the probability of what it points at",
      report::legend_key("together", "they go together"),
      report::legend_key("apart", "one keeps the other away (it ends in a bar)"));
  if (view.input->scores != nullptr) {
    note += report::legend_key("together wrong", "not true") +
            report::legend_key("lacking", "true, not learned") +
            ". Directions do not count: data need not tell them ";
  }
  return note + "&#8212; point at it for its numbers.";
}

}  // namespace

std::string cause_graph_section(const AnchoredView& view) {
  const std::vector<std::uint32_t>& order = view.network().cause_network().order();
  if (order.empty()) return "";
  constexpr const char* title = "How causes depend on each other";
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const std::vector<report::GraphArrow> arrows = arrows_of(view, place);
  if (order.size() > most_anchored_nodes || arrows.size() > most_anchored_arrows) {
    return report::scroll_section(
        title,
        fmt::format("{} and {} are too many to draw; `orrery export --format "
                    "dot` writes them for a program that draws large graphs.",
                    report::count_of(order.size(), "cause"),
                    report::count_of(arrows.size(), "edge")),
        "");
  }
  return report::scroll_section(title, note_of(view),
                                draw_dag(title, nodes_of(view, order), arrows));
}

std::string cause_edges_section(const AnchoredView& view) {
  std::vector<CauseEdge> edges = view.edges.edges;
  if (edges.empty()) return "";
  const auto strength = [](const CauseEdge& edge) {
    return std::isnan(edge.correlation) ? 0 : -std::abs(edge.correlation);
  };
  std::ranges::stable_sort(edges, {}, strength);
  const std::set<Ends> wrong = wrong_pairs(view);
  const bool has_truth = view.input->scores != nullptr;
  std::map<Ends, std::string> words;
  for (const model::CauseDependence& dependence : model::dependences_of(view.network())) {
    words[ends_of(dependence.parent, dependence.cause)] =
        model::in_words(dependence, view.network());
  }
  report::Section section;
  report::Table& table = section.table(
      "", "Edges among causes",
      view.edges.exact ? "The strongest correlations first."
                       : "What the parent adds to the probability of the child, the others "
                         "aside: exact correlations are out of reach.");
  for (const CauseEdge& edge : edges) {
    const Ends ends = ends_of(edge.parent, edge.child);
    report::Record& row = table.row();
    row.show("from", view.cause_name(edge.parent)).show("to", view.cause_name(edge.child));
    row.show(measure(view.edges),
             std::isnan(edge.correlation) ? "-" : report::short_number(edge.correlation));
    if (!words.empty()) row.show_html("in words", "", report::escape(words[ends]));
    if (has_truth) row.show("true", wrong.contains(ends) ? "no" : "yes");
  }
  return report::as_html(section);
}

}  // namespace orrery::noisy_or
