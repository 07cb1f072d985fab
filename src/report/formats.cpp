// The formats of graphs and of networks of tables, a file each. A new one is a file, and a line
// here.
#include "report/formats.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

namespace orrery::report {

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> formats{{"dot", to_dot}, {"graphml", to_graphml}};
  return formats;
}

const std::vector<DiscreteFormat>& discrete_formats() {
  static const std::vector<DiscreteFormat> formats{{"bif", to_bif, identifiers_of},
                                                   {"xmlbif", to_xmlbif, clean_names_of},
                                                   {"uai", to_uai, numbers_of}};
  return formats;
}

Graph strong_part(Graph graph, double least) {
  std::unordered_set<std::string> strong;  // nodes
  std::unordered_set<std::string> weak;
  for (const GraphEdge& edge : graph.edges) {
    auto& nodes = edge.strength < least ? weak : strong;
    nodes.insert(edge.from);
    nodes.insert(edge.to);
  }
  std::erase_if(graph.edges, [&](const GraphEdge& edge) { return edge.strength < least; });
  std::erase_if(graph.nodes, [&](const GraphNode& node) {
    return weak.contains(node.id) && !strong.contains(node.id);
  });
  return graph;
}

void add_attribute(std::vector<Attribute>& attributes, const std::string& key,
                   const std::string& dot, double value) {
  if (std::isfinite(value)) attributes.push_back({key, dot, fmt::format("{}", value)});
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_number(const std::vector<double>& values, std::size_t index) {
  return index < values.size() ? csv_number(values[index]) : "";
}

}  // namespace orrery::report
