// Sign trees into and out of files.
#include "store/tree.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "orrery/model/categorical_network.hpp"
#include "orrery/store/store.hpp"
#include "store/categorical.hpp"
#include "store/dataset.hpp"
#include "store/linear.hpp"
#include "store/model.hpp"
#include "store/origin.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::LearnedTree;
using model::SignTree;
using model::TreeEdge;

namespace {

std::vector<TreeEdge> read_edges(const Handle& group) {
  const Handle part = hdf5::open_group(group, "edges");
  const Shape shape = Dataset::open(part, "moment", hdf5::number_type<double>(), 1).shape();
  const auto moments = read_array<double>(part, "moment", shape);
  const auto a = read_array<std::uint32_t>(part, "a", shape);
  const auto b = read_array<std::uint32_t>(part, "b", shape);
  std::vector<TreeEdge> edges(moments.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {a[e], b[e], moments[e]};
  return edges;
}

SignTree build_tree(const Handle& group, const std::vector<TreeEdge>& edges) {
  const Handle variables = hdf5::open_group(group, "variables");
  auto names = read_strings(variables, "name");
  auto means = read_array<double>(variables, "mean", {names.size()});
  const auto crossover = hdf5::read_attribute<double>(group, "crossover");
  try {
    SignTree tree(std::move(names), std::move(means), edges, crossover);
    if (tree.edges() == edges) return tree;
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/tree is no tree: {}", error.what()));
  }
  throw FormatError("/tree/edges are not sorted by (a, b), a < b; write the file anew");
}

/// NaN: not known.
void require_error(double error, const std::string& name) {
  if (error >= 0 || std::isnan(error)) return;
  throw FormatError(fmt::format(
      "/tree/{} = {}, but it must be at least 0, or NaN; write the file anew", name, error));
}

}  // namespace

void write_tree_group(const Handle& root, const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  assert(learned.edge_errors.empty() || learned.edge_errors.size() == tree.edges().size());
  require_storable_names(tree.names());
  Handle group = hdf5::create_group(root, "tree");
  write_origin(group, learned);
  hdf5::write_attribute(group, "crossover", tree.crossover());
  hdf5::write_attribute(group, "crossover_error", learned.crossover_error);
  Handle variables = hdf5::create_group(group, "variables");
  write_strings(variables, "name", tree.names());
  write_array(variables, "mean", tree.means());
  variables.close();
  Handle edges = hdf5::create_group(group, "edges");
  write_array(edges, "a", gather<std::uint32_t>(tree.edges(), &TreeEdge::a));
  write_array(edges, "b", gather<std::uint32_t>(tree.edges(), &TreeEdge::b));
  write_array(edges, "moment", gather<double>(tree.edges(), &TreeEdge::moment));
  if (!learned.edge_errors.empty()) write_array(edges, "moment_error", learned.edge_errors);
  edges.close();
  if (!learned.remarks.empty()) write_strings(group, "remarks", learned.remarks);
  group.close();
}

LearnedTree read_tree_group(const StoredFile& file) {
  const Handle group = file.group("tree");
  LearnedTree learned;
  static_cast<model::Origin&>(learned) = read_origin(group);
  learned.crossover_error = hdf5::read_attribute<double>(group, "crossover_error");
  require_error(learned.crossover_error, "crossover_error");
  const std::vector<TreeEdge> edges = read_edges(group);
  learned.tree = build_tree(group, edges);
  const Handle part = hdf5::open_group(group, "edges");
  if (hdf5::has_object(part, "moment_error")) {
    learned.edge_errors = read_array<double>(part, "moment_error", {edges.size()});
    for (std::size_t e = 0; e < edges.size(); ++e) {
      require_error(learned.edge_errors[e], fmt::format("edges/moment_error[{}]", e));
    }
  }
  return learned;
}

GroupWriter group_of(const LearnedTree& learned) {
  return [&learned](const Handle& root) { write_tree_group(root, learned); };
}

LearnedTree read_tree(const std::filesystem::path& path) {
  return reading(path, [&] { return read_tree_group(StoredFile(path)); });
}

}  // namespace orrery::store
