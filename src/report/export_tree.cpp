// A tree of signs in the formats of other tools. Nodes are x0, x1, ..., so that any name, also a
// repeated one, is a label only.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/text.hpp"
#include "orrery/model/tree_tables.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using model::LearnedTree;
using model::SignTree;
using model::TreeEdge;

constexpr const char* tree_graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="mean" for="node" attr.name="mean" attr.type="double"/>
  <key id="moment" for="edge" attr.name="moment" attr.type="double"/>
  <key id="correlation" for="edge" attr.name="correlation" attr.type="double"/>
  <key id="error" for="edge" attr.name="standard_error" attr.type="double"/>
  <key id="crossover" for="graph" attr.name="crossover" attr.type="double"/>
)";

/// P(off), P(on) given each state of a parent.
void add_bif_table(std::string& out, const std::string& id, const std::string& parent,
                   const model::ConditionalTable& given) {
  append_text(out, "probability ( {} | {} ) {{\n  (off) {}, {};\n  (on) {}, {};\n}}\n", id, parent,
              given[0][0], given[0][1], given[1][0], given[1][1]);
}

}  // namespace

std::string tree_to_csv(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  std::string out = "a,b,moment,correlation,mean_a,mean_b,moment_error\n";
  std::vector<bool> joined(tree.n_variables(), false);
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    joined[edge.a] = joined[edge.b] = true;
    append_text(out, "{},{},{},{},{},{},{}\n", csv_field(tree.names()[edge.a]),
                csv_field(tree.names()[edge.b]), edge.moment, tree.correlation(edge),
                tree.means()[edge.a], tree.means()[edge.b], csv_number(learned.edge_errors, e));
  }
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    if (joined[i]) continue;
    append_text(out, "{},,,,{},,\n", csv_field(tree.names()[i]), tree.means()[i]);
  }
  return out;
}

std::string tree_to_dot(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  std::string out = fmt::format("graph orrery {{\n  crossover=\"{}\";\n  node [shape=ellipse];\n",
                                tree.crossover());
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    append_text(out, "  x{} [label={}, mean=\"{}\"];\n", i, dot_string(tree.names()[i]),
                tree.means()[i]);
  }
  for (const TreeEdge& edge : tree.edges()) {
    const double correlation = tree.correlation(edge);
    append_text(out, "  x{} -- x{} [moment=\"{}\", correlation=\"{}\", penwidth={:.2f}{}];\n",
                edge.a, edge.b, edge.moment, correlation, .4 + 3.6 * std::abs(correlation),
                correlation < 0 ? ", color=red, style=dashed" : "");
  }
  return out + "}\n";
}

std::string tree_to_graphml(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  std::string out = tree_graphml_head;
  append_text(out,
              "  <graph id=\"orrery\" edgedefault=\"undirected\">\n"
              "    <data key=\"crossover\">{}</data>\n",
              tree.crossover());
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    append_text(out,
                "    <node id=\"x{}\"><data key=\"name\">{}</data><data key=\"mean\">{}</data>"
                "</node>\n",
                i, escape(tree.names()[i]), tree.means()[i]);
  }
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    append_text(out,
                "    <edge source=\"x{}\" target=\"x{}\"><data key=\"moment\">{}</data>"
                "<data key=\"correlation\">{}</data>{}</edge>\n",
                edge.a, edge.b, edge.moment, tree.correlation(edge),
                data_field("error", learned.edge_errors, e));
  }
  return out + "  </graph>\n</graphml>\n";
}

std::string tree_to_bif(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  const model::TreeTables tables = model::tables_of(tree);
  const double q = tree.crossover();
  std::string out = "network orrery {\n}\n";
  BifIdentifiers identifiers;
  std::vector<std::string> hidden;
  std::vector<std::string> observed;  // empty: the hidden signs are seen
  for (const std::string& name : tree.names()) hidden.push_back(identifiers.make(name));
  for (const std::string& name : tree.names()) {
    if (q > 0) observed.push_back(identifiers.make(name + "_observed"));
  }
  for (const std::string& id : hidden) out += bif_variable(id);
  for (const std::string& id : observed) out += bif_variable(id);
  for (const std::uint32_t i : tables.after_parents) {
    if (tables.parents[i] != SignTree::none) {
      add_bif_table(out, hidden[i], hidden[tables.parents[i]], tables.given[i]);
      continue;
    }
    append_text(out, "probability ( {} ) {{\n  table {}, {};\n}}\n", hidden[i],
                tables.given[i][0][0], tables.given[i][0][1]);
  }
  for (std::size_t i = 0; i < observed.size(); ++i) {
    add_bif_table(out, observed[i], hidden[i], {{{1 - q, q}, {q, 1 - q}}});
  }
  return out;
}

}  // namespace orrery::report
