// Graphs of hidden causes as inline SVG: in a line in causal order, or in layers. Fixed numbers in,
// fixed bytes out. Names and tooltips are escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::report {

struct CauseNode {
  std::string name;
  std::string tooltip;
};

/// Beside a true graph: wrong arrows are dashed, lacking ones (true, not learned) dotted.
enum class ArrowKind { learned, wrong, lacking };

struct GraphArrow {
  std::size_t from = 0;
  std::size_t to = 0;
  double value = 0;  ///< as wide as |value| is large; blue for +, orange for -
  std::string tooltip;
  ArrowKind kind = ArrowKind::learned;
};

/// The classes that the style sheet of page.cpp gives them.
std::string classes_of(const GraphArrow& arrow);

/// Nodes from left to right, arrows as arcs above them; between neighbours straight.
std::string draw_in_line(const std::string& title, const std::vector<CauseNode>& nodes,
                         const std::vector<GraphArrow>& arrows);

struct GraphLayer {
  std::vector<CauseNode> nodes;
  std::vector<GraphArrow> arrows;  ///< to nodes of the next layer; none of the last one
};
/// Layers from the top; below the first each is ordered by where its arrows come from.
std::string draw_in_layers(const std::string& title, const std::vector<GraphLayer>& layers);

}  // namespace orrery::report
