#include "families/noisy_or/anchored/structure/independence_search.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "families/noisy_or/anchored/subsets.hpp"

namespace orrery::anchored {
namespace {

/// What making a cause last would break.
struct Damage {
  std::size_t arrows_turned = std::numeric_limits<std::size_t>::max();
  std::size_t new_v_structures = 0;
  auto operator<=>(const Damage&) const = default;
  [[nodiscard]] bool is_none() const { return arrows_turned == 0 && new_v_structures == 0; }
};

Damage damage_of(const PartialGraph& graph, std::uint32_t last) {
  const std::vector<std::uint32_t> neighbours = graph.neighbours(last);
  Damage damage{0, 0};
  for (const std::uint32_t a : neighbours) {
    if (graph.leads(last, a)) ++damage.arrows_turned;
    if (!graph.is_undirected(last, a)) continue;
    for (const std::uint32_t b : neighbours) {
      if (a != b && !graph.are_adjacent(a, b)) ++damage.new_v_structures;
    }
  }
  return damage;
}

}  // namespace

void PartialGraph::connect(std::size_t a, std::size_t b) {
  arrow_[a * n_ + b] = true;
  arrow_[b * n_ + a] = true;
}
void PartialGraph::disconnect(std::size_t a, std::size_t b) {
  arrow_[a * n_ + b] = false;
  arrow_[b * n_ + a] = false;
}
void PartialGraph::direct(std::size_t a, std::size_t b) {
  arrow_[a * n_ + b] = true;
  arrow_[b * n_ + a] = false;
}

std::vector<std::uint32_t> PartialGraph::neighbours(std::size_t a) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t b = 0; b < n_; ++b) {
    if (are_adjacent(a, b)) found.push_back(b);
  }
  return found;
}

/// Whether one of Meek's rules makes the undirected a - b an arrow a -> b.
bool PartialGraph::follows(std::size_t a, std::size_t b) const {
  for (std::size_t c = 0; c < n_; ++c) {
    // Rule 1: c -> a - b, c and b apart: otherwise a new v-structure.
    if (leads(c, a) && !are_adjacent(c, b) && c != b) return true;
    // Rule 2: a -> c -> b: otherwise a cycle.
    if (leads(a, c) && leads(c, b)) return true;
    if (!is_undirected(a, c)) continue;
    for (std::size_t d = 0; d < n_; ++d) {
      if (d == b || d == c || are_adjacent(c, d)) continue;
      // Rule 3: a - c -> b, a - d -> b, c and d apart.
      if (leads(c, b) && is_undirected(a, d) && leads(d, b)) return true;
    }
    // Rule 4: a - c -> d -> b, c and b apart, a and d adjacent.
    if (c == b || are_adjacent(c, b)) continue;
    for (std::size_t d = 0; d < n_; ++d) {
      if (leads(c, d) && leads(d, b) && are_adjacent(a, d)) return true;
    }
  }
  return false;
}

void PartialGraph::orient_further() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) {
        if (!is_undirected(a, b) || !follows(a, b)) continue;
        direct(a, b);
        changed = true;
      }
    }
  }
}

PartialGraph PartialGraph::class_of(const ParentLists& parents) {
  PartialGraph graph(parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const std::uint32_t parent : parents[i]) graph.connect(parent, i);
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const std::uint32_t a : parents[i]) {
      for (const std::uint32_t b : parents[i]) {
        if (a != b && !graph.are_adjacent(a, b)) graph.direct(a, i);
      }
    }
  }
  graph.orient_further();
  return graph;
}

PartialGraph::Extension PartialGraph::extend() const {
  Extension extension{ParentLists(n_), true};
  PartialGraph left = *this;
  std::vector<bool> is_left(n_, true);
  for (std::size_t step = 0; step < n_; ++step) {
    std::uint32_t last = 0;
    Damage least;
    for (auto i = static_cast<std::uint32_t>(n_); i-- > 0;) {
      if (!is_left[i]) continue;
      const Damage damage = damage_of(left, i);
      if (damage < least) {
        least = damage;
        last = i;
      }
    }
    extension.is_consistent = extension.is_consistent && least.is_none();
    extension.parents[last] = left.neighbours(last);
    for (const std::uint32_t parent : extension.parents[last]) left.disconnect(parent, last);
    is_left[last] = false;
  }
  return extension;
}

ParentLists standard_member(const ParentLists& parents) {
  return PartialGraph::class_of(parents).extend().parents;
}

// The search.

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
    for (const Pair& ends : {pair, Pair{pair.second, pair.first}}) {
      const auto a = ends.first;
      const auto b = ends.second;
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
