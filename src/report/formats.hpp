// A model in the formats of other tools. It is a graph, or a network of variables with a few states
// each, once; every format is a writer of one of these, a file each, which formats.cpp lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/row_writers.hpp"

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

struct DiscreteVariable {
  std::string name;
  std::vector<std::string> states;
  std::vector<std::uint32_t> parents{};  ///< numbers of variables
  /// P(each state | these states of the parents), in the parents' order.
  std::function<void(std::span<const std::uint32_t> parents, std::span<double> probability)> given;
};
using DiscreteNetwork = std::vector<DiscreteVariable>;

/// Bayesian interchange format: identifiers are made of the names. Cost: the cells of all tables.
/// Throws UsageError naming a variable with a table of more than 65,536 rows, or the rows of all
/// tables if they are more than 2^22.
std::string to_bif(const DiscreteNetwork& network);

struct DiscreteFormat {
  const char* name;
  std::string (*write)(const DiscreteNetwork& network);
};
const std::vector<DiscreteFormat>& discrete_formats();

using data::csv_field;
/// A number, or nothing where it is not known.
std::string csv_number(double value);
std::string csv_number(const std::vector<double>& values, std::size_t index);

}  // namespace orrery::report
