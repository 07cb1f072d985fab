#include "families/noisy_or/page/dag_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "families/noisy_or/page/layered_layout.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr double node_height = 22;
constexpr double layer_gap = 76;
constexpr double dag_width = 900;
constexpr double narrowest_node = 34;
constexpr std::size_t max_node_name = 24;

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

void draw_node(const report::GraphNode& node, const LayoutPoint& at, double width,
               std::string& out) {
  append_text(out,
              "<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
              "height=\"{}\" rx=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\" "
              "text-anchor=\"middle\">{}</text></g>\n",
              report::escape(node.tooltip), at.x - width / 2, at.y - node_height / 2, width,
              node_height, node_height / 2, at.x, at.y,
              report::escape(report::shorten(node.name, max_node_name)));
}

}  // namespace

std::string draw_dag(const std::string& title, const std::vector<report::GraphNode>& nodes,
                     const std::vector<report::GraphArrow>& arrows) {
  LayeredGraph graph;
  for (const report::GraphNode& node : nodes) {
    graph.widths.push_back(std::max(
        report::label_width({report::shorten(node.name, max_node_name)}) + 14, narrowest_node));
  }
  for (const report::GraphArrow& arrow : arrows) {
    graph.edges.push_back({std::min(arrow.from, arrow.to), std::max(arrow.from, arrow.to)});
  }
  const LayeredLayout layout = lay_out_layers(graph, node_height, layer_gap, dag_width);
  std::string out = report::open_svg(layout.width, layout.height, "graph dag", title) + "\n";
  for (std::size_t e = 0; e < arrows.size(); ++e)
    draw_routed_arrow(arrows[e], layout.routes[e], out);
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    draw_node(nodes[v], layout.nodes[v], graph.widths[v], out);
  }
  return out + "</svg>\n";
}

}  // namespace orrery::noisy_or
