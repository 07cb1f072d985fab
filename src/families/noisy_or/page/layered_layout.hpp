// Where the nodes and edges of a directed graph without cycles stand, layer by layer from above
// (Sugiyama, Tagawa, Toda 1981): a node is below all that point at it, an edge over several layers
// has a place of its own in each that it crosses.
//
// Cost: of ordering O(sweeps edges^2 / layers), of placing O(sweeps places).
#pragma once

#include <cstddef>
#include <vector>

namespace orrery::noisy_or {

struct LayoutPoint {
  double x = 0;
  double y = 0;
};

struct LayeredGraph {
  std::vector<double> widths;  ///< of the nodes, pixels
  struct Edge {
    std::size_t from = 0;  ///< less than `to`: nodes are in topological order
    std::size_t to = 0;
  };
  std::vector<Edge> edges;
};

struct LayeredLayout {
  std::vector<LayoutPoint> nodes;  ///< their centres
  /// Of each edge: from below its first node, through every layer between, to above its last node.
  std::vector<std::vector<LayoutPoint>> routes;
  double width = 0;
  double height = 0;
};

/// `node_height` and the distance from layer to layer in pixels. Nodes without an edge stand in
/// rows below all others, no row wider than the rest (or `least_row`).
LayeredLayout lay_out_layers(const LayeredGraph& graph, double node_height, double layer_gap,
                             double least_row);

}  // namespace orrery::noisy_or
