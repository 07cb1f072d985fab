// The fields of a tree of signs, once: in HDF5 and in JSON, to be written and to be read.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "families/sign_tree/commands.hpp"

namespace orrery::sign_tree {
namespace {

using model::LearnedTree;
using model::SignTree;
using model::TreeEdge;
using store::Need;

constexpr std::int64_t largest_variable = std::numeric_limits<std::uint32_t>::max() - 1;

/// The edges, a list per field.
struct Edges {
  std::vector<std::uint32_t> a, b;
  std::vector<double> moment;

  explicit Edges(const std::vector<TreeEdge>& edges) {
    for (const TreeEdge& edge : edges) {
      a.push_back(edge.a);
      b.push_back(edge.b);
      moment.push_back(edge.moment);
    }
  }
  [[nodiscard]] std::vector<TreeEdge> joined() const {
    std::vector<TreeEdge> edges;
    for (std::size_t e = 0; e < a.size(); ++e) edges.push_back({a[e], b[e], moment[e]});
    return edges;
  }
};

/// Values in the file's order of the edges, in the order in which a tree keeps them.
std::vector<double> in_order_of_tree(const Edges& edges, const std::vector<double>& values) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, {}, [&](std::size_t i) {
    return std::minmax({edges.a[i], edges.b[i]});
  });
  std::vector<double> sorted;
  for (const std::size_t place : places) sorted.push_back(values[place]);
  return sorted;
}

}  // namespace

void fields(store::Archive& archive, LearnedTree& learned) {
  double crossover = learned.tree.crossover();
  std::vector<std::string> names = learned.tree.names();
  std::vector<double> means = learned.tree.means();
  Edges edges(learned.tree.edges());
  archive.origin(learned);
  archive.remarks(learned);
  archive.value({"crossover", "@crossover"}, crossover, Need::number);
  archive.value({"crossover_error", "@crossover_error"}, learned.crossover_error,
                Need::error_or_unknown, learned.crossover_error != 0);
  {
    const auto list = archive.list({"variables", "variables/name"}, names.size());
    list->names({"name", "variables/name"}, "x", names);
    list->numbers({"mean", "variables/mean"}, Need::anything,
                  archive.whole(true, store::optional(0)), means);
  }
  {
    const auto list =
        archive.list({"edges", "edges/moment"}, edges.a.size(), {"variable", "variable", "moment"});
    list->integers({"", "edges/a"}, 0, largest_variable, store::required, edges.a);
    list->integers({"", "edges/b"}, 0, largest_variable, store::required, edges.b);
    list->numbers({"", "edges/moment"}, Need::anything, store::required, edges.moment);
  }
  archive.numbers({"edge_errors", "edges/moment_error"}, Need::error_or_unknown, edges.a.size(),
                  "edges", learned.edge_errors);
  if (!archive.reads()) return;
  if (archive.is_json() && names.empty()) {
    archive.refuse("variables = []; at least one variable is needed");
  }
  if (means.empty()) means.assign(names.size(), 0);
  learned.edge_errors = in_order_of_tree(edges, learned.edge_errors);
  learned.tree = archive.checked(
      [&] { return SignTree(std::move(names), std::move(means), edges.joined(), crossover); });
}

family::AnyModel renamed(const LearnedTree& learned, const family::NewName& new_name) {
  const SignTree& tree = learned.tree;
  std::vector<std::string> names = tree.names();
  for (std::string& name : names) name = new_name(family::NodeKind::variable, name);
  LearnedTree copy = learned;
  copy.tree = SignTree(std::move(names), tree.means(), tree.edges(), tree.crossover());
  return copy;
}

}  // namespace orrery::sign_tree
