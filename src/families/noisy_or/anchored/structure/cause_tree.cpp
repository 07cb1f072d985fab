#include "families/noisy_or/anchored/structure/cause_tree.hpp"

#include "families/noisy_or/anchored/structure/sampling_noise.hpp"

namespace orrery::anchored {
namespace {

/// An edge; a < b.
struct Edge {
  double information = -1;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  [[nodiscard]] bool is_better_than(const Edge& other) const {
    return std::tuple(-information, a, b) < std::tuple(-other.information, other.a, other.b);
  }
};

/// Less information than this is rounding: it is not to decide between edges that have none.
constexpr double information_rounding = 1e-14;

Edge edge_between(const model::SubsetTables& moments, std::uint32_t i, std::uint32_t j) {
  const std::array<std::uint32_t, 2> pair{std::min(i, j), std::max(i, j)};
  const double found = information(moments.table(pair), 0);
  return {found > information_rounding ? found : 0, pair[0], pair[1]};
}

}  // namespace

ParentLists cause_tree(const model::SubsetTables& moments) {
  const std::size_t n = moments.n_variables();
  ParentLists parents(n);
  std::vector<Edge> nearest(n);  // of each cause outside the tree
  std::vector<bool> in_tree(n, false);
  std::uint32_t joined = 0;
  for (std::size_t size = 1; size < n; ++size) {
    in_tree[joined] = true;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (in_tree[i]) continue;
      const Edge edge = edge_between(moments, joined, i);
      if (edge.is_better_than(nearest[i])) {
        nearest[i] = edge;
        parents[i] = {joined};
      }
      if (in_tree[next] || nearest[i].is_better_than(nearest[next])) next = i;
    }
    joined = next;
  }
  return parents;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> insignificant_edges(
    const model::SubsetTables& moments, const ParentLists& parents, const SamplingNoise& noise,
    double alpha) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t child = 0; child < parents.size(); ++child) {
    for (const std::uint32_t parent : parents[child]) {
      const std::array<std::uint32_t, 2> pair{std::min(child, parent), std::max(child, parent)};
      if (noise.test(pair, moments.table(pair), 0, 1, alpha).is_independent()) {
        edges.emplace_back(parent, child);
      }
    }
  }
  return edges;
}

}  // namespace orrery::anchored
