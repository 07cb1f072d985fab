#include "families/noisy_or/anchored/structure/partial_graph.hpp"

#include <limits>

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

}  // namespace orrery::anchored
