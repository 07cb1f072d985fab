// A graph for Graphviz.
#include <fmt/format.h>

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

}  // namespace

std::string to_dot(const Graph& graph) {
  std::string out = graph.is_directed ? "digraph orrery {\n" : "graph orrery {\n";
  if (graph.is_directed) out += "  rankdir=TB;\n";
  for (const Attribute& attribute : graph.attributes) {
    append_text(out, "  {}=\"{}\";\n", attribute.dot, attribute.value);
  }
  out += "  node [shape=ellipse];\n";
  add_nodes(graph, true, out);
  if (graph.has_kinds) out += "  node [shape=box];\n";
  add_nodes(graph, false, out);
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
