// A graph as GraphML, which igraph, networkx, Gephi, yEd and Cytoscape read. A key is of nodes, of
// edges, or of the graph: igraph loses what stands under a key of all.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/text.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

/// The attributes of what is called `of` ("node", "edge", "graph") in a document.
class Fields {
 public:
  explicit Fields(std::string of) : of_(std::move(of)) {}

  [[nodiscard]] std::string one(const std::string& key, const std::string& value) {
    if (key.empty()) return "";
    used_.insert(key);
    return fmt::format("<data key=\"{}_{}\">{}</data>", of_, key, escape(value));
  }
  [[nodiscard]] std::string all(const std::vector<Attribute>& attributes) {
    std::string text;
    for (const Attribute& attribute : attributes) text += one(attribute.key, attribute.value);
    return text;
  }
  /// Declarations of the keys that were used.
  [[nodiscard]] std::string keys(const std::vector<AttributeKey>& declared) const {
    std::string text;
    for (const AttributeKey& key : declared) {
      if ((key.of != of_ && key.of != "all") || !used_.contains(key.id)) continue;
      append_text(text, "  <key id=\"{}_{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", of_,
                  key.id, of_, key.name, key.type);
    }
    return text;
  }

 private:
  std::string of_;
  std::set<std::string> used_;
};

}  // namespace

std::string to_graphml(const Graph& graph) {
  Fields of_graph("graph");
  Fields of_nodes("node");
  Fields of_edges("edge");
  std::string body;
  for (const Attribute& attribute : graph.attributes) {
    append_text(body, "    {}\n", of_graph.one(attribute.key, attribute.value));
  }
  for (const GraphNode& node : graph.nodes) {
    const std::string kind = node.kind.empty() ? "" : of_nodes.one("kind", node.kind);
    append_text(body, "    <node id=\"{}\">{}{}{}</node>\n", node.id, kind,
                of_nodes.one("name", node.name), of_nodes.all(node.attributes));
  }
  for (const GraphEdge& edge : graph.edges) {
    const std::string kind = edge.kind.empty() ? "" : of_edges.one("kind", edge.kind);
    append_text(body, "    <edge source=\"{}\" target=\"{}\">{}{}</edge>\n", edge.from, edge.to,
                kind, of_edges.all(edge.attributes));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n{}{}{}"
      "  <graph id=\"orrery\" edgedefault=\"{}\">\n{}  </graph>\n</graphml>\n",
      of_graph.keys(graph.keys), of_nodes.keys(graph.keys), of_edges.keys(graph.keys),
      graph.is_directed ? "directed" : "undirected", body);
}

}  // namespace orrery::report
