// A model in the formats of other tools. It is a graph, or a network of variables with a few states
// each, once; every format is a writer of one of these, a file each, which formats.cpp lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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
  std::string id;    ///< what Attribute::key names it by
  std::string of;    ///< "node", "edge", "graph", or "all": of nodes and edges
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
  /// How strongly one end acts on the other; NaN: not known.
  double strength = std::numeric_limits<double>::quiet_NaN();
};

struct Graph {
  bool is_directed = true;
  bool has_kinds = true;  ///< of nodes
  std::vector<AttributeKey> keys;
  std::vector<Attribute> attributes{};  ///< of the whole
  std::vector<GraphNode> nodes{};
  std::vector<GraphEdge> edges{};
};

/// Without the edges whose strength is known and less than `least`, and without the nodes that only
/// such edges touch: a large network becomes one that can be drawn.
Graph strong_part(Graph graph, double least);

/// Graphviz, from left to right: hidden nodes as ellipses, observed ones as boxes; negative edges
/// are red and dashed.
std::string to_dot(const Graph& graph);
/// GraphML, with a typed key for each attribute that is there: one for nodes, one for edges, one
/// for the whole graph. An edge without a direction is written as any other, since networkx reads
/// no graph that has both; its kind tells it.
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

/// What a format calls the variables of a network and their states.
struct WrittenNames {
  std::vector<std::string> variables;
  std::vector<std::vector<std::string>> states;
};
/// Letters, digits and underscores of each name, other characters as one underscore, not starting
/// with a digit; no word of BIF; each once (a taken one gets the suffix _2, _3, ...).
WrittenNames identifiers_of(const DiscreteNetwork& network);
/// The names themselves, but for what XML cannot hold; each once, and none empty.
WrittenNames clean_names_of(const DiscreteNetwork& network);
/// 0, 1, ...
WrittenNames numbers_of(const DiscreteNetwork& network);
/// How many variables are called otherwise, or have a state that is.
std::size_t n_changed(const DiscreteNetwork& network, const WrittenNames& written);
/// CSV: name,state,written_name,written_state; a row per state of each variable.
std::string names_csv(const DiscreteNetwork& network, const WrittenNames& written);

// Networks of tables. Cost: the cells of all tables. Each throws UsageError naming a variable with
// a table of more than 65,536 rows, or the rows of all tables if they are more than 2^22.

/// Bayesian interchange format, with identifiers for names, and comments that say which these are.
std::string to_bif(const DiscreteNetwork& network);
/// XML Bayesian interchange format 0.3.
std::string to_xmlbif(const DiscreteNetwork& network);
/// The format of the UAI inference competitions: a network of numbers without names.
std::string to_uai(const DiscreteNetwork& network);

struct DiscreteFormat {
  const char* name;
  std::string (*write)(const DiscreteNetwork& network);
  WrittenNames (*names)(const DiscreteNetwork& network);
};
const std::vector<DiscreteFormat>& discrete_formats();

using data::csv_field;
/// A number, or nothing where it is not known.
std::string csv_number(double value);
std::string csv_number(const std::vector<double>& values, std::size_t index);

}  // namespace orrery::report
