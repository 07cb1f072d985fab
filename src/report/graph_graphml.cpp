// A graph as GraphML, which igraph, networkx, Gephi, yEd and Cytoscape read.
#include <fmt/format.h>

#include "base/text.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

std::string field(const std::string& key, const std::string& value) {
  return fmt::format("<data key=\"{}\">{}</data>", key, escape(value));
}

std::string fields_of(const std::vector<Attribute>& attributes) {
  std::string text;
  for (const Attribute& attribute : attributes) {
    if (!attribute.key.empty()) text += field(attribute.key, attribute.value);
  }
  return text;
}

}  // namespace

std::string to_graphml(const Graph& graph) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const AttributeKey& key : graph.keys) {
    append_text(out, "  <key id=\"{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", key.id,
                key.of, key.name, key.type);
  }
  append_text(out, "  <graph id=\"orrery\" edgedefault=\"{}\">\n",
              graph.is_directed ? "directed" : "undirected");
  for (const Attribute& attribute : graph.attributes) {
    append_text(out, "    {}\n", field(attribute.key, attribute.value));
  }
  for (const GraphNode& node : graph.nodes) {
    append_text(out, "    <node id=\"{}\">{}{}{}</node>\n", node.id,
                node.kind.empty() ? "" : field("kind", node.kind), field("name", node.name),
                fields_of(node.attributes));
  }
  for (const GraphEdge& edge : graph.edges) {
    append_text(out, "    <edge source=\"{}\" target=\"{}\"{}>{}{}</edge>\n", edge.from, edge.to,
                graph.is_directed && !edge.has_direction ? " directed=\"false\"" : "",
                edge.kind.empty() ? "" : field("kind", edge.kind), fields_of(edge.attributes));
  }
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace orrery::report
