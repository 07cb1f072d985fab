// Purpose: an order of elimination of small width.
// Source: min-fill greedy, Rose 1972; Koller, Friedman 2009, Sec. 9.4.3.
// Method: what each variable would add (its fill: pairs of neighbours that are not neighbours of
// each
//         other) is kept up to date while edges are added and variables taken away.
// Cost: O((n + added edges) max_width^2 log n); the fills to begin with: O(log n) an edge and the
//       lesser degree of its ends. A forest never adds an edge: O(n log n).
#include "model/elimination_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace orrery::model {
namespace {

/// Variables that share a table are neighbours.
class InteractionGraph {
 public:
  InteractionGraph(std::size_t n, std::span<const Scope> scopes) : neighbours_(n), fill_(n, 0) {
    for (const Scope& scope : scopes) join(scope);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::size_t degree = neighbours_[i].size();
      if (degree > 0) fill_[i] = (degree * (degree - 1) - n_joined_twice(i)) / 2;
      by_fill_.emplace(fill_[i], i);
    }
  }

  [[nodiscard]] std::uint32_t next() const { return by_fill_.begin()->second; }
  [[nodiscard]] const std::set<std::uint32_t>& neighbours(std::uint32_t i) const {
    return neighbours_[i];
  }

  void eliminate(std::uint32_t gone) {
    const std::vector<std::uint32_t> left(neighbours_[gone].begin(), neighbours_[gone].end());
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        if (!neighbours_[left[a]].contains(left[b])) add_edge(left[a], left[b]);
      }
    }
    by_fill_.erase({fill_[gone], gone});
    // Its neighbours are joined to one another by now: of each pair (gone, other) at a neighbour
    // those with an `other` that is not among them were not joined.
    for (const std::uint32_t i : left) {
      change_fill(i, fill_[i] - (neighbours_[i].size() - left.size()));
      neighbours_[i].erase(gone);
    }
    neighbours_[gone].clear();
  }

 private:
  void join(const Scope& scope) {
    for (const std::uint32_t a : scope) {
      for (const std::uint32_t b : scope) {
        if (a != b) neighbours_[a].insert(b);
      }
    }
  }
  /// Pairs of neighbours that are neighbours of each other, each pair twice.
  [[nodiscard]] std::size_t n_joined_twice(std::uint32_t i) const {
    std::size_t n = 0;
    for (const std::uint32_t j : neighbours_[i]) n += n_common(i, j);
    return n;
  }
  template <class Use>
  void for_each_common(std::uint32_t a, std::uint32_t b, const Use& use) const {
    if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
    for (const std::uint32_t i : neighbours_[a]) {
      if (neighbours_[b].contains(i)) use(i);
    }
  }
  [[nodiscard]] std::size_t n_common(std::uint32_t a, std::uint32_t b) const {
    std::size_t n = 0;
    for_each_common(a, b, [&n](std::uint32_t) { ++n; });
    return n;
  }
  void change_fill(std::uint32_t i, std::size_t fill) {
    by_fill_.erase({fill_[i], i});
    fill_[i] = fill;
    by_fill_.emplace(fill, i);
  }
  void add_edge(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> common;
    for_each_common(a, b, [&common](std::uint32_t i) { common.push_back(i); });
    for (const std::uint32_t i : common) change_fill(i, fill_[i] - 1);
    // The other end is a new neighbour, to be joined to those that are not its own.
    change_fill(a, fill_[a] + neighbours_[a].size() - common.size());
    change_fill(b, fill_[b] + neighbours_[b].size() - common.size());
    neighbours_[a].insert(b);
    neighbours_[b].insert(a);
  }

  std::vector<std::set<std::uint32_t>> neighbours_;
  std::vector<std::size_t> fill_;
  std::set<std::pair<std::size_t, std::uint32_t>> by_fill_;
};

}  // namespace

EliminationOrder min_fill_order(std::size_t n, std::span<const Scope> scopes,
                                std::size_t max_width) {
  InteractionGraph graph(n, scopes);
  EliminationOrder result;
  std::vector<std::size_t> turn(n, n);
  for (std::size_t step = 0; step < n; ++step) {
    const std::uint32_t gone = graph.next();
    const std::set<std::uint32_t>& neighbours = graph.neighbours(gone);
    result.width = std::max(result.width, neighbours.size() + 1);
    if (result.width > max_width) return result;
    turn[gone] = step;
    result.cliques.push_back({gone});
    result.cliques.back().insert(result.cliques.back().end(), neighbours.begin(), neighbours.end());
    graph.eliminate(gone);
  }
  for (Scope& clique : result.cliques) {
    std::ranges::sort(clique, {}, [&turn](std::uint32_t i) { return turn[i]; });
  }
  return result;
}

EliminationOrder min_fill_order(const CauseNetwork& network, std::size_t max_width) {
  std::vector<Scope> families;
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    families.push_back(network.tables()[i].parents);
    families.back().push_back(i);
  }
  return min_fill_order(network.n_causes(), families, max_width);
}

}  // namespace orrery::model
