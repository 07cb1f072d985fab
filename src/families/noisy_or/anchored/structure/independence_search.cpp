#include "families/noisy_or/anchored/structure/independence_search.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "families/noisy_or/anchored/structure/partial_graph.hpp"
#include "families/noisy_or/anchored/subsets.hpp"

namespace orrery::anchored {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

/// What the tests of a pair have found.
struct Separation {
  double strength = std::numeric_limits<double>::infinity();  ///< the least of all tests
  std::vector<std::uint32_t> given;                           ///< of that test; rising
};

class Skeleton {
 public:
  Skeleton(const learning::Workers& workers, const model::SubsetTables& moments,
           const SamplingNoise& noise, double alpha)
      : workers_(workers),
        moments_(moments),
        noise_(noise),
        alpha_(alpha),
        graph_(moments.n_variables()) {
    const auto n = static_cast<std::uint32_t>(moments.n_variables());
    for (std::uint32_t b = 1; b < n; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        graph_.connect(a, b);
        pairs_[{a, b}] = {};
      }
    }
  }

  /// Tests every edge given `level` neighbours; false if none has so many.
  bool cut(std::size_t level) {
    const std::vector<Pair> edges = edges_with_neighbours(level);
    if (edges.empty()) return false;
    // A unit's numbers: the least strength, then the set.
    const std::vector<double> values = learning::unit_values(
        workers_, {fmt::format("independence_{}", level), "pairs", edges.size(), 1 + level},
        [&](std::uint64_t unit, int /*thread*/, std::span<double> out) {
          const Separation weakest = test(edges[unit], level);
          out[0] = weakest.strength;
          for (std::size_t i = 0; i < level; ++i) out[1 + i] = weakest.given[i];
        });
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const double* value = values.data() + e * (1 + level);
      Separation& known = pairs_[edges[e]];
      if (value[0] < known.strength) {
        known.strength = value[0];
        known.given.assign(value + 1, value + 1 + level);
      }
      if (value[0] <= 1) graph_.disconnect(edges[e].first, edges[e].second);
    }
    return true;
  }

  /// Strongest first, each while both causes have room. Returns how many went.
  std::size_t limit_degree(std::size_t max_degree) {
    std::vector<std::size_t> degree(graph_.n_causes(), 0);
    std::size_t removed = 0;
    for (const auto& [strength, edge] : edges_by_strength()) {
      const auto [a, b] = edge;
      if (degree[a] < max_degree && degree[b] < max_degree) {
        ++degree[a];
        ++degree[b];
      } else {
        graph_.disconnect(a, b);
        ++removed;
      }
    }
    return removed;
  }

  /// Negative strength, so that the strongest comes first; ties by number.
  [[nodiscard]] std::vector<std::pair<double, Pair>> edges_by_strength() const {
    std::vector<std::pair<double, Pair>> edges;
    for (const auto& [pair, separation] : pairs_) {
      if (graph_.are_adjacent(pair.first, pair.second)) {
        edges.emplace_back(-separation.strength, pair);
      }
    }
    std::ranges::sort(edges);
    return edges;
  }
  [[nodiscard]] const Separation& separation(std::uint32_t a, std::uint32_t b) const {
    return pairs_.at({std::min(a, b), std::max(a, b)});
  }
  [[nodiscard]] const PartialGraph& graph() const { return graph_; }

 private:
  /// Neighbours of `a` but for `b`.
  [[nodiscard]] std::vector<std::uint32_t> beside(std::uint32_t a, std::uint32_t b) const {
    std::vector<std::uint32_t> neighbours = graph_.neighbours(a);
    std::erase(neighbours, b);
    return neighbours;
  }
  [[nodiscard]] std::vector<Pair> edges_with_neighbours(std::size_t level) const {
    std::vector<Pair> edges;
    for (const auto& [pair, separation] : pairs_) {
      const auto [a, b] = pair;
      if (!graph_.are_adjacent(a, b)) continue;
      if (beside(a, b).size() >= level || beside(b, a).size() >= level) edges.push_back(pair);
    }
    return edges;
  }
  [[nodiscard]] Separation test(const Pair& pair, std::size_t level) const {
    Separation weakest;
    for (const auto& [a, b] : {pair, Pair{pair.second, pair.first}}) {
      for_each_subset(beside(a, b), level, [&](std::span<const std::uint32_t> given) {
        const std::vector<std::uint32_t> set = with_member(with_member(given, a), b);
        const IndependenceTest test =
            noise_.test(set, moments_.table(set), place_of(set, a), place_of(set, b), alpha_);
        if (test.strength() < weakest.strength) {
          weakest = {test.strength(), {given.begin(), given.end()}};
        }
      });
    }
    return weakest;
  }

  const learning::Workers& workers_;
  const model::SubsetTables& moments_;
  const SamplingNoise& noise_;
  double alpha_;
  PartialGraph graph_;
  std::map<Pair, Separation> pairs_;
};

/// a -> c <- b; a < b.
struct Collision {
  double strength;  ///< of the weaker edge, negative: the strongest first
  std::uint32_t a;
  std::uint32_t c;
  std::uint32_t b;
  bool operator<(const Collision& other) const {
    return std::tuple(strength, a, c, b) < std::tuple(other.strength, other.a, other.c, other.b);
  }
};

std::vector<Collision> collisions_of(const Skeleton& skeleton) {
  const PartialGraph& graph = skeleton.graph();
  std::vector<Collision> collisions;
  for (std::uint32_t c = 0; c < graph.n_causes(); ++c) {
    for_each_subset(graph.neighbours(c), 2, [&](std::span<const std::uint32_t> ends) {
      const std::uint32_t a = ends[0];
      const std::uint32_t b = ends[1];
      if (graph.are_adjacent(a, b)) return;
      const Separation& apart = skeleton.separation(a, b);
      // An edge that only went for lack of room was separated by nothing.
      if (apart.strength > 1 || std::ranges::binary_search(apart.given, c)) return;
      const double strength =
          std::min(skeleton.separation(a, c).strength, skeleton.separation(b, c).strength);
      collisions.push_back({-strength, a, c, b});
    });
  }
  std::sort(collisions.begin(), collisions.end());
  return collisions;
}

}  // namespace

IndependenceSearch search_by_independence(const learning::Workers& workers,
                                          const model::SubsetTables& moments,
                                          std::size_t max_degree, const SamplingNoise& noise,
                                          double alpha) {
  IndependenceSearch search;
  Skeleton skeleton(workers, moments, noise, alpha);
  for (std::size_t level = 0; level <= max_degree && skeleton.cut(level); ++level) {
  }
  search.n_edges_over = skeleton.limit_degree(max_degree);
  PartialGraph graph = skeleton.graph();
  for (const Collision& at : collisions_of(skeleton)) {
    if (graph.leads(at.c, at.a) || graph.leads(at.c, at.b)) {
      ++search.n_conflicts;
      continue;
    }
    graph.direct(at.a, at.c);
    graph.direct(at.b, at.c);
  }
  graph.orient_further();
  PartialGraph::Extension extension = graph.extend();
  search.parents = std::move(extension.parents);
  search.is_consistent = extension.is_consistent;
  return search;
}

}  // namespace orrery::anchored
