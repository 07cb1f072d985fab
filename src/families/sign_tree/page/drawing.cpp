#include "families/sign_tree/page/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/text.hpp"
#include "families/sign_tree/page/layout.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::sign_tree {
namespace {

constexpr double ring_distance = 72;  // pixels, from a variable to those that hang from it
constexpr double ring_gap = 15;       // between neighbours on a ring
constexpr double narrowest = 1.2;
constexpr double widest = 9;
constexpr double variable_radius = 4.5;
constexpr std::size_t max_drawn_name = 14;

void draw_curve(const std::array<Point, 4>& curve, double width, std::string_view classes,
                const std::string& tooltip, std::string& out) {
  append_text(out,
              "<path class=\"{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" "
              "stroke-width=\"{:.1f}\"><title>{}</title></path>\n",
              classes, curve[0].x, curve[0].y, curve[1].x, curve[1].y, curve[2].x, curve[2].y,
              curve[3].x, curve[3].y, width, tooltip);
}

std::string pair_text(const model::SignTree& tree, const model::TreeEdge& edge) {
  return report::escape(tree.names()[edge.a]) + " &#8211; " + report::escape(tree.names()[edge.b]);
}

/// A name reads from left to right wherever it points.
void draw_variable(const model::SignTree& tree, std::uint32_t a, const TreeLayout& layout,
                   std::string& out) {
  const Point& at = layout.places[a];
  const NamePlace& name = layout.names[a];
  double degrees = std::remainder(name.angle * 180 / std::numbers::pi, 360);
  const bool leftwards = std::abs(degrees) > 90;
  if (leftwards) degrees += degrees > 0 ? -180 : 180;
  const bool begins = name.outwards != leftwards;
  std::string tooltip = report::escape(tree.names()[a]);
  if (tree.means()[a] != 0) tooltip += ": mean " + report::short_number(tree.means()[a]);
  append_text(out,
              "<g transform=\"translate({:.1f} {:.1f})\"><circle r=\"{}\"><title>{}</title>"
              "</circle><text transform=\"rotate({:.1f})\" x=\"{}\" dy=\"{}\" "
              "text-anchor=\"{}\">{}</text></g>\n",
              at.x, at.y, variable_radius, tooltip, degrees + 0.0,
              begins ? variable_radius + 3 : -(variable_radius + 3),
              name.outwards ? "0.35em" : "-0.3em", begins ? "start" : "end",
              report::escape(report::shorten(tree.names()[a], max_drawn_name)));
}

}  // namespace

std::string moment_text(const model::LearnedTree& learned, std::size_t edge) {
  std::string moment = report::short_number(learned.tree.edges()[edge].moment);
  if (learned.edge_errors.empty()) return moment;
  return fmt::format("{} ± {}", moment, report::short_number(learned.edge_errors[edge]));
}

std::string draw_tree(const model::LearnedTree& learned, const std::vector<Standing>& standing,
                      const std::vector<model::TreeEdge>& lacking) {
  const model::SignTree& tree = learned.tree;
  std::size_t longest = 0;
  for (const std::string& name : tree.names()) {
    longest = std::max(longest, report::count_characters(report::shorten(name, max_drawn_name)));
  }
  const TreeLayout layout =
      lay_out(tree, ring_distance, ring_gap,
              report::character_width * static_cast<double>(longest) + 4 * variable_radius);
  std::string out = fmt::format(
      "<svg class=\"tree\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\"><title>The tree of {2}</title>\n",
      layout.width, layout.height, report::count_of(tree.n_variables(), "variable"));
  for (const model::TreeEdge& edge : lacking) {
    const Point from = layout.places[edge.a];
    const Point to = layout.places[edge.b];
    draw_curve({from, from, to, to}, 2, "lacking",
               fmt::format("{}: not learned; true moment {}", pair_text(tree, edge),
                           report::short_number(edge.moment)),
               out);
  }
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const model::TreeEdge& edge = tree.edges()[e];
    const bool wrong = !standing.empty() && standing[e] == Standing::wrong;
    const std::string classes =
        fmt::format("{}{}", edge.moment < 0 ? "negative" : "positive", wrong ? " wrong" : "");
    draw_curve(layout.curves[e],
               narrowest + (widest - narrowest) * std::min(std::abs(edge.moment), 1.0), classes,
               fmt::format("{}: {}{}", pair_text(tree, edge), moment_text(learned, e),
                           wrong ? ", not in the true tree" : ""),
               out);
  }
  for (std::uint32_t a = 0; a < tree.n_variables(); ++a) draw_variable(tree, a, layout, out);
  return out + "</svg>\n";
}

}  // namespace orrery::sign_tree
