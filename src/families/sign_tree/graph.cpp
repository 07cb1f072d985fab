// Signs on a tree as a graph, as tables, and as CSV. Nodes are x0, x1, ..., so that any name, also
// a repeated one, is a label only.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "families/sign_tree/commands.hpp"
#include "orrery/model/tree_tables.hpp"
#include "report/formats.hpp"

namespace orrery::sign_tree {

using model::SignTree;
using model::TreeEdge;
using report::add_attribute;
using report::Attribute;

report::Graph graph(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  report::Graph graph{.is_directed = false,
                      .has_kinds = false,
                      .keys = {{"name", "node", "name", "string"},
                               {"mean", "node", "mean", "double"},
                               {"moment", "edge", "moment", "double"},
                               {"correlation", "edge", "correlation", "double"},
                               {"error", "edge", "standard_error", "double"},
                               {"crossover", "graph", "crossover", "double"}}};
  add_attribute(graph.attributes, "crossover", "crossover", tree.crossover());
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    std::vector<Attribute> said;
    add_attribute(said, "mean", "mean", tree.means()[i]);
    graph.nodes.push_back(
        {fmt::format("x{}", i), tree.names()[i], "", true, false, std::move(said)});
  }
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    const double correlation = tree.correlation(edge);
    std::vector<Attribute> said;
    add_attribute(said, "moment", "moment", edge.moment);
    add_attribute(said, "correlation", "correlation", correlation);
    if (e < learned.edge_errors.size()) add_attribute(said, "error", "", learned.edge_errors[e]);
    graph.edges.push_back({fmt::format("x{}", edge.a), fmt::format("x{}", edge.b), "", false,
                           .4 + 3.6 * std::abs(correlation),
                           correlation < 0 ? report::Sign::negative : report::Sign::none,
                           std::move(said), std::abs(correlation)});
  }
  return graph;
}

report::DiscreteNetwork discrete(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  const double q = tree.crossover();
  report::DiscreteNetwork variables;
  const auto tables = model::tables_of(tree);
  const auto add = [&](std::string name, std::vector<std::uint32_t> parents,
                       const model::ConditionalTable& table) {
    variables.push_back({std::move(name),
                         {"off", "on"},
                         std::move(parents),
                         [table](std::span<const std::uint32_t> states, std::span<double> p) {
                           const auto& row = table[states.empty() ? 0 : states[0]];
                           p[0] = row[0];
                           p[1] = row[1];
                         }});
  };
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    std::vector<std::uint32_t> parents;
    if (tables.parents[i] != SignTree::none) parents.push_back(tables.parents[i]);
    add(tree.names()[i], std::move(parents), tables.given[i]);
  }
  // Without a crossover the hidden signs are seen.
  for (std::size_t i = 0; i < tree.n_variables() && q > 0; ++i) {
    add(tree.names()[i] + "_observed", {static_cast<std::uint32_t>(i)}, {{{1 - q, q}, {q, 1 - q}}});
  }
  return variables;
}

std::string to_csv(const LearnedTree& learned) { return strong_csv(learned, 0); }

std::string strong_csv(const LearnedTree& learned, double least) {
  using report::csv_field;
  const SignTree& tree = learned.tree;
  std::string out = "a,b,moment,correlation,mean_a,mean_b,moment_error\n";
  std::vector<bool> joined(tree.n_variables(), false);
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    joined[edge.a] = joined[edge.b] = true;
    if (std::abs(tree.correlation(edge)) < least) continue;
    append_text(out, "{},{},{},{},{},{},{}\n", csv_field(tree.names()[edge.a]),
                csv_field(tree.names()[edge.b]), edge.moment, tree.correlation(edge),
                tree.means()[edge.a], tree.means()[edge.b],
                report::csv_number(learned.edge_errors, e));
  }
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    if (joined[i]) continue;
    append_text(out, "{},,,,{},,\n", csv_field(tree.names()[i]), tree.means()[i]);
  }
  return out;
}

}  // namespace orrery::sign_tree
