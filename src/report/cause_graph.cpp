#include "report/cause_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

constexpr double node_radius = 6;
constexpr double graph_margin = 24;
constexpr double layer_height = 110;
constexpr double highest_arc = 300;
constexpr std::size_t max_graph_name = 14;
constexpr std::size_t most_abreast = 12;  // names side by side
constexpr std::size_t most_values = 60;   // written beside their arrows
constexpr double room_for_value = 32;

struct GraphPoint {
  double x = 0;
  double y = 0;
};

double graph_arrow_width(const GraphArrow& arrow) {
  return 1 + 4 * std::min(std::abs(arrow.value), 1.0);
}

/// A cubic Bezier curve that ends with a head at curve[3], pointing away from curve[2].
void draw_curved_arrow(const GraphArrow& arrow, const GraphPoint (&curve)[4], std::string& out) {
  const double width = graph_arrow_width(arrow);
  const double size = 5 + 1.5 * width;
  double dx = curve[3].x - curve[2].x;
  double dy = curve[3].y - curve[2].y;
  const double length = std::max(std::hypot(dx, dy), 1e-9);
  dx *= size / length;
  dy *= size / length;
  const GraphPoint base{curve[3].x - dx, curve[3].y - dy};
  append_text(out,
              "<g class=\"{}\"><title>{}</title><path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} "
              "{:.1f} {:.1f} {:.1f}\" stroke-width=\"{:.1f}\"/><path class=\"head\" d=\"M{:.1f} "
              "{:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/></g>\n",
              classes_of(arrow), escape(arrow.tooltip), curve[0].x, curve[0].y, curve[1].x,
              curve[1].y, curve[2].x, curve[2].y, base.x, base.y, width, curve[3].x, curve[3].y,
              base.x - dy / 2, base.y + dx / 2, base.x + dy / 2, base.y - dx / 2);
}

void draw_value(const GraphArrow& arrow, const GraphPoint& at, std::string& out) {
  append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at.x, at.y,
              brief_number(arrow.value));
}

void draw_node(const CauseNode& node, const GraphPoint& at, std::string& out) {
  append_text(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
              at.x, at.y, node_radius, escape(node.tooltip));
}

/// How names stand beside nodes in a line.
enum class NameSide { below, above, right, downwards };
struct Names {
  NameSide side = NameSide::below;
  double gap = 0;   ///< from node to node
  double room = 0;  ///< that they take across the line
};
double widest_name(const std::vector<CauseNode>& nodes) {
  std::vector<std::string> names;
  for (const CauseNode& node : nodes) names.push_back(shorten(node.name, max_graph_name));
  return label_width(names);
}
/// Below their nodes, or where those are many, downwards; nodes are `least_gap` apart at least.
Names names_below(const std::vector<CauseNode>& nodes, double least_gap) {
  const double width = widest_name(nodes);
  if (nodes.size() <= most_abreast) return {NameSide::below, std::max(width + 12, 72.), 22};
  return {NameSide::downwards, std::max(18., least_gap), width + 12};
}

void draw_name(const CauseNode& node, NameSide side, const GraphPoint& at, std::string& out) {
  const std::string name = escape(shorten(node.name, max_graph_name));
  if (side == NameSide::downwards) {
    append_text(out,
                "<text transform=\"translate({:.1f} {:.1f}) rotate(90)\" dy=\".35em\">{}</text>\n",
                at.x, at.y + node_radius + 5, name);
    return;
  }
  if (side == NameSide::right) {
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\">{}</text>\n",
                at.x + node_radius + 5, at.y, name);
    return;
  }
  append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at.x,
              side == NameSide::above ? at.y - node_radius - 6 : at.y + node_radius + 14, name);
}

bool is_straight(const GraphArrow& arrow) { return arrow.to == arrow.from + 1; }

double arc_height(const GraphArrow& arrow) {
  if (is_straight(arrow)) return 16;  // its value
  const double distance = std::abs(static_cast<double>(arrow.to) - static_cast<double>(arrow.from));
  return std::min(40 * std::sqrt(distance), highest_arc);
}

/// Of each layer, the places of its nodes from the left: by the mean place of what points at them,
/// weighted; nodes that nothing points at come last.
std::vector<std::vector<std::size_t>> places_in_layers(const std::vector<GraphLayer>& layers) {
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::size_t n = layers[l].nodes.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (l > 0) {
      std::vector<double> sum(n, 0);
      std::vector<double> weight(n, 0);
      for (const GraphArrow& arrow : layers[l - 1].arrows) {
        weight[arrow.to] += std::abs(arrow.value);
        sum[arrow.to] += std::abs(arrow.value) * static_cast<double>(places[l - 1][arrow.from]);
      }
      const auto centre = [&](std::size_t i) { return weight[i] > 0 ? sum[i] / weight[i] : 1e9; };
      std::ranges::stable_sort(order, {}, centre);
    }
    std::vector<std::size_t> place(n);
    for (std::size_t i = 0; i < n; ++i) place[order[i]] = i;
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace

std::string classes_of(const GraphArrow& arrow) {
  const char* kind = arrow.kind == ArrowKind::wrong     ? " wrong"
                     : arrow.kind == ArrowKind::lacking ? " lacking"
                                                        : "";
  return fmt::format("{}{}", arrow.value < 0 ? "negative" : "positive", kind);
}

std::string draw_in_line(const std::string& title, const std::vector<CauseNode>& nodes,
                         const std::vector<GraphArrow>& arrows) {
  const Names names = names_below(nodes, 40);
  double high = 0;
  for (const GraphArrow& arrow : arrows) high = std::max(high, arc_height(arrow));
  const double y = high + node_radius + 16;
  const auto x_of = [&](std::size_t i) {
    return graph_margin + names.gap / 2 + static_cast<double>(i) * names.gap;
  };
  const double width = 2 * graph_margin + static_cast<double>(nodes.size()) * names.gap;
  std::string out = open_svg(width, y + node_radius + names.room + 8, "graph", title) + "\n";
  std::string values;
  for (const GraphArrow& arrow : arrows) {
    const double from = x_of(arrow.from);
    const double to = x_of(arrow.to);
    const double height = arc_height(arrow);
    GraphPoint value{(from + to) / 2, y - 8};
    if (is_straight(arrow)) {
      const GraphPoint begin{from + node_radius, y};
      const GraphPoint end{to - node_radius, y};
      draw_curved_arrow(arrow, {begin, begin, begin, end}, out);
    } else {
      // A quarter in: arcs that leave and arrive at one node do not meet there.
      const double side = to > from ? node_radius / 2 : -node_radius / 2;
      const double top = y - node_radius - height;
      draw_curved_arrow(arrow,
                        {{from + side, y - node_radius},
                         {from + side, top},
                         {to - side, top},
                         {to - side, y - node_radius}},
                        out);
      value.y = y - node_radius - .75 * height - 4;
    }
    if (arrow.kind != ArrowKind::lacking) draw_value(arrow, value, values);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    draw_node(nodes[i], {x_of(i), y}, out);
    draw_name(nodes[i], names.side, {x_of(i), y}, out);
  }
  return out + (arrows.size() <= most_values ? values : "") + "</svg>\n";
}

std::string draw_in_layers(const std::string& title, const std::vector<GraphLayer>& layers) {
  const auto places = places_in_layers(layers);
  std::vector<Names> names;
  double width = 0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto& nodes = layers[l].nodes;
    const NameSide side = l == 0 ? NameSide::above : NameSide::right;
    names.push_back(l + 1 == layers.size() ? names_below(nodes, 0)
                                           : Names{side, widest_name(nodes) + 24, 22});
    width = std::max(width, names.back().gap * static_cast<double>(nodes.size()));
  }
  const double top = names.front().room + graph_margin;
  const auto at = [&](std::size_t layer, std::size_t node) {
    const double step = width / static_cast<double>(layers[layer].nodes.size());
    return GraphPoint{graph_margin + (static_cast<double>(places[layer][node]) + .5) * step,
                      top + static_cast<double>(layer) * layer_height};
  };
  const double height = top + static_cast<double>(layers.size() - 1) * layer_height + node_radius;
  std::string out =
      open_svg(width + 2 * graph_margin, height + names.back().room + 8, "graph", title) + "\n";
  std::string values;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    for (const GraphArrow& arrow : layers[l].arrows) {
      const GraphPoint from = at(l, arrow.from);
      const GraphPoint to = at(l + 1, arrow.to);
      const GraphPoint begin{from.x, from.y + node_radius};
      const GraphPoint end{to.x, to.y - node_radius};
      const double bend = layer_height / 3;
      draw_curved_arrow(arrow, {begin, {begin.x, begin.y + bend}, {end.x, end.y - bend}, end}, out);
      const double apart = width / static_cast<double>(layers[l + 1].nodes.size());
      if (layers[l].arrows.size() > most_values || apart < room_for_value) continue;
      draw_value(arrow, {(begin.x + end.x) / 2, (begin.y + end.y) / 2 + 4}, values);
    }
  }
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (std::size_t i = 0; i < layers[l].nodes.size(); ++i) {
      draw_node(layers[l].nodes[i], at(l, i), out);
      draw_name(layers[l].nodes[i], names[l].side, at(l, i), out);
    }
  }
  return out + values + "</svg>\n";
}

}  // namespace orrery::report
