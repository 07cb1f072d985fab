// A model as a graph, once: its nodes and edges, and what is said of each. Every format of graphs
// is a writer of this, one file each, which graph_formats() lists.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace orrery::report {

/// What is said of a node or an edge. Empty names: the format leaves it out.
struct Attribute {
  std::string key;  ///< of GraphML: one of Graph::keys
  std::string dot;  ///< its name in DOT
  std::string value;
};

/// Adds a number, if it is one.
void add_attribute(std::vector<Attribute>& attributes, const std::string& key,
                   const std::string& dot, double value);

/// What an attribute is, for formats that declare them.
struct AttributeKey {
  std::string id;
  std::string of;    ///< "node", "edge", "graph" or "all"
  std::string name;  ///< "standard_error"
  std::string type;  ///< "string", "double", "int", "long", "boolean"
};

struct GraphNode {
  std::string id;  ///< "c0", "x12": names may be anything, and repeat
  std::string name;
  std::string kind;  ///< "cause", "observed"; empty: the graph has one kind
  bool is_hidden = true;
  bool is_marked = false;  ///< two borders
  std::vector<Attribute> attributes{};
};

enum class Sign { none, positive, negative, unknown };

struct GraphEdge {
  std::string from;
  std::string to;
  std::string kind;  ///< "loading"; empty: the graph has one kind
  bool has_direction = true;
  double width = 1;  ///< of the pen
  Sign sign = Sign::none;
  std::vector<Attribute> attributes{};
};

struct Graph {
  bool is_directed = true;
  bool has_kinds = true;  ///< of nodes
  std::vector<AttributeKey> keys;
  std::vector<Attribute> attributes{};  ///< of the whole
  std::vector<GraphNode> nodes{};
  std::vector<GraphEdge> edges{};
};

/// Graphviz: hidden nodes as ellipses in the upper rank, observed ones as boxes in the lower one;
/// negative edges are red and dashed.
std::string to_dot(const Graph& graph);
/// GraphML with typed data keys.
std::string to_graphml(const Graph& graph);

struct GraphFormat {
  const char* name;
  std::string (*write)(const Graph& graph);
};
const std::vector<GraphFormat>& graph_formats();

}  // namespace orrery::report
