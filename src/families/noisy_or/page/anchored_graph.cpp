// How hidden causes depend on each other: a Bayesian network as a graph, drawn layer by layer, its
// edges as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "families/noisy_or/page/layered_layout.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/network_moments.hpp"
#include "report/cause_graph.hpp"
#include "report/page.hpp"
#include "report/sheet.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using Ends = AnchoredScores::Ends;

// Directed graphs without cycles as inline SVG: names in boxes, layer by layer, arrows that end in
// a head where two go together and in a bar where one keeps the other away. Fixed numbers in, fixed
// bytes out. Names and tooltips are escaped here.

constexpr double box_height = 22;
constexpr double layer_gap = 76;
constexpr double dag_width = 900;
constexpr double narrowest_node = 34;
constexpr std::size_t max_node_name = 30;

double dag_arrow_width(const report::GraphArrow& arrow) {
  return 1.2 + 5 * std::min(std::abs(arrow.value), 1.0);
}

/// Straight up or down at each point, so that the pieces join smoothly.
std::string path_of(const std::vector<LayoutPoint>& route) {
  std::string path = fmt::format("M{:.1f} {:.1f}", route[0].x, route[0].y);
  for (std::size_t i = 1; i < route.size(); ++i) {
    const double middle = (route[i - 1].y + route[i].y) / 2;
    append_text(path, "C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", route[i - 1].x, middle,
                route[i].x, middle, route[i].x, route[i].y);
  }
  return path;
}

void draw_routed_arrow(const report::GraphArrow& arrow, std::vector<LayoutPoint> route,
                       std::string& out) {
  if (arrow.from > arrow.to) std::ranges::reverse(route);
  const double width = dag_arrow_width(arrow);
  const LayoutPoint tip = route.back();
  const double down = tip.y > route[route.size() - 2].y ? 1 : -1;
  const double half = 3 + width;
  std::string head;
  if (arrow.value < 0) {
    route.back().y -= 2.5 * down;
    head = fmt::format("<path class=\"bar\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>", tip.x - half,
                       tip.y - 2.5 * down, 2 * half);
  } else {
    const double length = 5 + width;
    route.back().y -= length * down;
    head = fmt::format("<path class=\"head\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z\"/>", tip.x,
                       tip.y, -half, -length * down, 2 * half);
  }
  append_text(
      out, "<g class=\"{}\"><title>{}</title><path d=\"{}\" stroke-width=\"{:.1f}\"/>{}</g>\n",
      report::classes_of(arrow), report::escape(arrow.tooltip), path_of(route), width, head);
}

void draw_node(const report::CauseNode& node, const LayoutPoint& at, double width,
               std::string& out) {
  append_text(out,
              "<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
              "height=\"{}\" rx=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\" "
              "text-anchor=\"middle\">{}</text></g>\n",
              report::escape(node.tooltip), at.x - width / 2, at.y - box_height / 2, width,
              box_height, box_height / 2, at.x, at.y,
              report::escape(report::shorten(node.name, max_node_name)));
}

/// Nodes in topological order. An arrow of ArrowKind::lacking may point from a later node to an
/// earlier one; no other may.
std::string draw_dag(const std::string& title, const std::vector<report::CauseNode>& nodes,
                     const std::vector<report::GraphArrow>& arrows) {
  LayeredGraph graph;
  for (const report::CauseNode& node : nodes) {
    graph.widths.push_back(std::max(
        report::label_width({report::shorten(node.name, max_node_name)}) + 14, narrowest_node));
  }
  for (const report::GraphArrow& arrow : arrows) {
    graph.edges.push_back({std::min(arrow.from, arrow.to), std::max(arrow.from, arrow.to)});
  }
  const LayeredLayout layout = lay_out_layers(graph, box_height, layer_gap, dag_width);
  std::string out = report::open_svg(layout.width, layout.height, "graph dag", title) + "\n";
  for (std::size_t e = 0; e < arrows.size(); ++e)
    draw_routed_arrow(arrows[e], layout.routes[e], out);
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    draw_node(nodes[v], layout.nodes[v], graph.widths[v], out);
  }
  return out + "</svg>\n";
}

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

std::vector<report::CauseNode> nodes_of(const AnchoredView& view,
                                        const std::vector<std::uint32_t>& order) {
  std::vector<report::CauseNode> nodes;
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
  table.is_stacked = true;
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
