// The maximum spanning forest, a block of pairs at a time.
//
// Edges have a total order: by weight, then the lower (a, b) first. So the forest is unique, and
// the forest of a union of sets of edges lies in the union of their forests (the heaviest edge of
// a cycle's rest keeps out its lightest, whatever else is there: the cycle property). Each block
// is reduced to its own forest, and these are merged whenever they have become many: any order of
// blocks, over any threads and ranks, ends in the same edges.
//
// Cost: Prim's method on a block of B x B pairs, 5 B^2 comparisons; Kruskal's on what was kept,
// O(p log p) each time. Memory: 24 bytes per edge, about max(3 p, 2^16) of them a thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "families/sign_tree/hidden_tree/sign_pair.hpp"

namespace orrery::hidden_tree {

/// Columns [first, first + n) with [other_first, other_first + other_n): another range that comes
/// after it, or the same.
struct BlockShape {
  std::uint32_t first = 0;
  std::uint32_t n = 0;
  std::uint32_t other_first = 0;
  std::uint32_t other_n = 0;
  [[nodiscard]] bool diagonal() const noexcept { return first == other_first; }
  bool operator==(const BlockShape&) const = default;
};

template <class Weight>
struct WeighedEdge {
  Weight weight;
  Edge edge;
  /// The one that comes first among those that join the same parts.
  [[nodiscard]] bool beats(const WeighedEdge& other) const noexcept {
    if (other.weight < weight) return true;
    if (weight < other.weight) return false;
    return edge.a != other.edge.a ? edge.a < other.edge.a : edge.b < other.edge.b;
  }
};

/// Sets that are joined (Galler, Fischer 1964).
class Parts {
 public:
  explicit Parts(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  [[nodiscard]] std::uint32_t find(std::uint32_t a) noexcept {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  /// False if they were one already.
  bool join(std::uint32_t a, std::uint32_t b) noexcept {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Of any edges among p variables, in no order (Kruskal 1956).
template <class Weights>
void reduce(std::vector<Edge>& edges, std::size_t p, const Weights& weights) {
  using Weighed = WeighedEdge<typename Weights::Weight>;
  std::vector<Weighed> sorted;
  sorted.reserve(edges.size());
  for (const Edge& edge : edges) sorted.push_back({weights(edge.cells), edge});
  std::ranges::sort(sorted, [](const Weighed& x, const Weighed& y) { return x.beats(y); });
  Parts parts(p);
  edges.clear();
  for (const Weighed& weighed : sorted) {
    if (parts.join(weighed.edge.a, weighed.edge.b)) edges.push_back(weighed.edge);
  }
}

/// Of all pairs of a block (Prim 1957): at most n + other_n - 1 edges. `cells(i, j)` are those of
/// the i-th column of the range with the j-th of the other; on the diagonal i < j.
template <class Weights, class CellsOf>
void reduce_block(const BlockShape& block, const CellsOf& cells, const Weights& weights,
                  std::vector<Edge>& edges) {
  using Weighed = WeighedEdge<typename Weights::Weight>;
  // Nodes: the range's, then the other's. `open` are not in the tree yet; to each the best edge.
  const std::uint32_t n = block.n;
  const std::uint32_t total = block.diagonal() ? n : n + block.other_n;
  if (total < 2) return;
  const auto weigh = [&](std::uint32_t i, std::uint32_t j) {
    const Cells counts = cells(i, j);
    return Weighed{weights(counts), {block.first + i, block.other_first + j, counts}};
  };
  std::vector<std::uint32_t> open(total - 1);
  std::iota(open.begin(), open.end(), 1U);
  std::vector<Weighed> best(total);
  std::vector<bool> reached(total, false);
  for (std::uint32_t added = 0; !open.empty();) {
    std::size_t next = open.size();
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::uint32_t v = open[k];
      const bool joined = block.diagonal() || (added < n) != (v < n);
      if (joined) {
        const Weighed edge = block.diagonal() ? weigh(std::min(added, v), std::max(added, v))
                                              : weigh(std::min(added, v), std::max(added, v) - n);
        if (!reached[v] || edge.beats(best[v])) best[v] = edge;
        reached[v] = true;
      }
      if (reached[v] && (next == open.size() || best[v].beats(best[open[next]]))) next = k;
    }
    added = open[next];
    edges.push_back(best[added].edge);
    open[next] = open.back();
    open.pop_back();
  }
}

/// Edges that come in one after the other, and of which only the forest is kept.
template <class Weights>
class Forest {
 public:
  Forest(std::size_t p, Weights weights) : p_(p), weights_(weights) {}

  template <class CellsOf>
  void add_block(const BlockShape& block, const CellsOf& cells) {
    reduce_block(block, cells, weights_, edges_);
    if (edges_.size() > most(p_)) reduce(edges_, p_, weights_);
  }
  void add(std::span<const Edge> edges) { edges_.insert(edges_.end(), edges.begin(), edges.end()); }
  /// At most p - 1, the heaviest first.
  const std::vector<Edge>& edges() {
    reduce(edges_, p_, weights_);
    return edges_;
  }
  void clear() { edges_.clear(); }
  /// Edges that it may hold, beside those of a block.
  [[nodiscard]] static std::size_t most(std::size_t p) {
    return std::max(3 * p, std::size_t{1} << 16U);
  }

 private:
  std::size_t p_;
  Weights weights_;
  std::vector<Edge> edges_;
};

}  // namespace orrery::hidden_tree
