// Purpose: an order of elimination of small width.
// Source: min-fill greedy, Rose 1972; Koller, Friedman 2009, Sec. 9.4.3.
// Method: what each variable would add (its fill: pairs of neighbours that are not neighbours of
//         each other) is kept up to date while edges are added and variables taken away. Lists of
//         neighbours are sorted vectors: rows of data are planned one by one, and sets were slower.
// Cost: O((n + added edges) max_width (max_width + log n)); the fills to begin with: O(log n) an
//       edge and the lesser degree of its ends. A forest never adds an edge: O(n log n).
#include "model/elimination_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace orrery::model {
namespace {

/// Variables that share a table are neighbours.
class InteractionGraph {
 public:
  InteractionGraph(std::size_t n, std::span<const Scope> scopes)
      : neighbours_(n), degree_(n), fill_(n, 0), is_gone_(n, false), is_changed_(n, false) {
    join(scopes);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (const std::uint32_t j : neighbours_[i]) fill_[i] += degree_[i] - 1 - n_common(i, j);
      fill_[i] /= 2;  // each pair was met from both its ends
      by_fill_.emplace(fill_[i], i);
    }
  }

  [[nodiscard]] std::uint32_t next() {
    while (is_gone_[by_fill_.top().second] || is_outdated(by_fill_.top())) by_fill_.pop();
    return by_fill_.top().second;
  }
  /// Rising.
  [[nodiscard]] const Scope& neighbours(std::uint32_t i) {
    if (neighbours_[i].size() > degree_[i]) drop_gone(i);
    return neighbours_[i];
  }

  void eliminate(std::uint32_t gone) {
    const Scope left = neighbours(gone);
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        if (!std::ranges::binary_search(neighbours_[left[a]], left[b])) add_edge(left[a], left[b]);
      }
    }
    is_gone_[gone] = true;
    // Its neighbours are joined to one another by now: of each pair (gone, other) at a neighbour
    // those with an `other` that is not among them were not joined.
    for (const std::uint32_t i : left) {
      change_fill(i, fill_[i] - (degree_[i] - left.size()));
      // Lists shrink by halves: a star's centre is not searched for each of its leaves.
      if (neighbours_[i].size() > 2 * --degree_[i]) drop_gone(i);
    }
    for (const std::uint32_t i : changed_) {
      by_fill_.emplace(fill_[i], i);
      is_changed_[i] = false;
    }
    changed_.clear();
  }

 private:
  using Candidate = std::pair<std::size_t, std::uint32_t>;  // fill, variable

  void join(std::span<const Scope> scopes) {
    const std::size_t n = neighbours_.size();
    std::vector<std::vector<const Scope*>> scopes_of(n);
    for (const Scope& scope : scopes) {
      for (const std::uint32_t i : scope) scopes_of[i].push_back(&scope);
    }
    std::vector<std::size_t> last_met(n, n);
    for (std::uint32_t i = 0; i < n; ++i) {
      last_met[i] = i;
      for (const Scope* scope : scopes_of[i]) {
        for (const std::uint32_t j : *scope) {
          if (std::exchange(last_met[j], i) != i) neighbours_[i].push_back(j);
        }
      }
      std::ranges::sort(neighbours_[i]);
      degree_[i] = neighbours_[i].size();
    }
  }
  [[nodiscard]] bool is_outdated(const Candidate& candidate) const {
    return candidate.first != fill_[candidate.second];
  }
  void drop_gone(std::uint32_t i) {
    std::erase_if(neighbours_[i], [this](std::uint32_t j) { return is_gone_[j]; });
  }
  template <class Use>
  void for_each_common(std::uint32_t a, std::uint32_t b, const Use& use) const {
    if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
    const Scope& longer = neighbours_[b];
    auto at = longer.begin();
    const bool by_steps = longer.size() < 8 * neighbours_[a].size();
    for (const std::uint32_t i : neighbours_[a]) {
      if (by_steps) {
        while (at != longer.end() && *at < i) ++at;
      } else {
        at = std::lower_bound(at, longer.end(), i);
      }
      if (at == longer.end()) return;
      if (*at == i && !is_gone_[i]) use(i);
    }
  }
  [[nodiscard]] std::size_t n_common(std::uint32_t a, std::uint32_t b) const {
    std::size_t n = 0;
    for_each_common(a, b, [&n](std::uint32_t) { ++n; });
    return n;
  }
  void change_fill(std::uint32_t i, std::size_t fill) {
    fill_[i] = fill;
    if (is_changed_[i]) return;
    is_changed_[i] = true;
    changed_.push_back(i);
  }
  void add_edge(std::uint32_t a, std::uint32_t b) {
    std::size_t n = 0;
    for_each_common(a, b, [&](std::uint32_t i) {
      change_fill(i, fill_[i] - 1);
      ++n;
    });
    // The other end is a new neighbour, to be joined to those that are not its own.
    change_fill(a, fill_[a] + degree_[a]++ - n);
    change_fill(b, fill_[b] + degree_[b]++ - n);
    neighbours_[a].insert(std::ranges::lower_bound(neighbours_[a], b), b);
    neighbours_[b].insert(std::ranges::lower_bound(neighbours_[b], a), a);
  }

  std::vector<Scope> neighbours_;  // rising; some of them are gone
  std::vector<std::size_t> degree_;
  std::vector<std::size_t> fill_;
  std::vector<bool> is_gone_;
  std::vector<bool> is_changed_;
  Scope changed_;  // what by_fill_ does not know yet
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> by_fill_;  // and outdated
};

}  // namespace

EliminationOrder min_fill_order(std::size_t n, std::span<const Scope> scopes,
                                std::size_t max_width) {
  InteractionGraph graph(n, scopes);
  EliminationOrder result;
  std::vector<std::size_t> turn(n, n);
  for (std::size_t step = 0; step < n; ++step) {
    const std::uint32_t gone = graph.next();
    const Scope& neighbours = graph.neighbours(gone);
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
