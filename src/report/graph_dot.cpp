// A graph for Graphviz.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

/// A double-quoted Graphviz string. Backslashes are doubled: labels read them as escapes.
std::string dot_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : clean_text(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string attributes_of(const std::vector<Attribute>& attributes) {
  std::string text;
  for (const Attribute& attribute : attributes) {
    if (attribute.dot.empty()) continue;
    text += fmt::format(", {}=\"{}\"", attribute.dot, attribute.value);
  }
  return text;
}

const char* look_of(Sign sign) {
  switch (sign) {
    case Sign::positive:
      return ", color=forestgreen";
    case Sign::negative:
      return ", color=red, style=dashed";
    case Sign::unknown:
      return ", color=gray50";
    case Sign::none:
      break;
  }
  return "";
}

void add_nodes(const Graph& graph, bool hidden, std::string& out) {
  for (const GraphNode& node : graph.nodes) {
    if (node.is_hidden != hidden) continue;
    append_text(out, "  {} [label={}{}{}];\n", node.id, dot_string(node.name),
                attributes_of(node.attributes), node.is_marked ? ", peripheries=2" : "");
  }
}

/// Nodes of two kinds stand in columns, the observed ones in the last: the more there are, the
/// farther the columns are apart, or their edges could not be told from one another. Straight edges
/// are soon drawn, and pass behind no node where they go from the first column to the last alone.
std::string layout_of(const Graph& graph) {
  std::string out = "  rankdir=LR;\n";
  if (!graph.has_kinds) return out;
  std::unordered_set<std::string> hidden;
  for (const GraphNode& node : graph.nodes) {
    if (node.is_hidden) hidden.insert(node.id);
  }
  const auto n_observed = static_cast<double>(graph.nodes.size() - hidden.size());
  const bool is_bipartite = std::ranges::none_of(
      graph.edges, [&](const GraphEdge& edge) { return hidden.contains(edge.to); });
  append_text(out, "  ranksep={:.2f};\n  nodesep=0.06;\n{}", std::clamp(n_observed / 18, .5, 12.),
              is_bipartite ? "  splines=line;\n" : "");
  return out + "  node [height=0.3];\n";
}

}  // namespace

std::string to_dot(const Graph& graph) {
  std::string out = graph.is_directed ? "digraph orrery {\n" : "graph orrery {\n";
  out += layout_of(graph);
  for (const Attribute& attribute : graph.attributes) {
    append_text(out, "  {}=\"{}\";\n", attribute.dot, attribute.value);
  }
  out += "  node [shape=ellipse];\n";
  add_nodes(graph, true, out);
  if (graph.has_kinds) {
    out += "  {\n  rank=max;\n  node [shape=box];\n";
    add_nodes(graph, false, out);
    out += "  }\n";
  }
  for (const GraphEdge& edge : graph.edges) {
    const std::string attributes = attributes_of(edge.attributes);
    append_text(out, "  {} {} {} [{}penwidth={:.2f}{}{}];\n", edge.from,
                graph.is_directed ? "->" : "--", edge.to,
                attributes.empty() ? "" : attributes.substr(2) + ", ", edge.width,
                look_of(edge.sign),
                graph.is_directed && !edge.has_direction ? ", dir=none, constraint=false" : "");
  }
  return out + "}\n";
}

}  // namespace orrery::report
