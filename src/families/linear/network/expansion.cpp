// Purpose: is every set of causes joined to enough variables? (Condition 3: expansion)
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Def. 2.3; closures by minimum cuts: Picard 1976
//         (Management Science 22).
//
//   paper      code
//   d_max      largest_degree
//   S, N(S)    set, neighbours
//
// Looked for is the least |N(S)| - |S| over sets S of two causes or more. Let a and b be in S, and
// the causes in play be a and those above it. In a flow from the causes over their edges to the
// variables (capacity 1), where a and b may send any amount and the others 1, a cut that leaves S
// with the causes costs one for each cause in play outside of S and one for each of N(S). So
//
//   largest flow = causes in play + min over S of (|N(S)| - |S|)
//
// where S holds a and b and otherwise causes above a. Every S is met with its smallest cause as a.
// Method: the flow with a alone (a lower bound for all of a's sets) is the start of that with a and
//   b; a pair is given up as soon as its flow says that it cannot beat the best so far. Sets of two
//   are counted first, so that most pairs end before they begin. Of several cuts the one nearest to
//   the causes is taken: it does not depend on the flow.
// Cost: k (k - 1) / 2 times the largest degree searches over the edges at worst; next to nothing
// for
//   most pairs of a graph that expands. Memory O(edges).
#include "families/linear/network/expansion.hpp"

#include <algorithm>

namespace orrery::model {
namespace {

using Causes = std::vector<std::uint32_t>;

class Search {
 public:
  explicit Search(const Bipartite& graph)
      : graph_(graph), k_(static_cast<std::uint32_t>(graph.children.size())) {}

  /// The set with the least |N(S)| - |S|.
  Causes run() {
    try_pairs();
    for (std::uint32_t a = 0; a + 1 < k_; ++a) try_sets_of(a);
    return set_;
  }

 private:
  void try_pairs();
  void try_sets_of(std::uint32_t a);

  const Bipartite& graph_;
  std::uint32_t k_;
  Causes set_;
  std::size_t fewest_ = 0;  // |N(S)| - |S| + k of `set_`: never negative
};

void Search::try_pairs() {
  std::vector<std::uint32_t> last_of(graph_.n_observed, k_);
  for (std::uint32_t a = 0; a < k_; ++a) {
    for (const std::uint32_t i : graph_.children[a]) last_of[i] = a;
    for (std::uint32_t b = a + 1; b < k_; ++b) {
      const auto& children = graph_.children[b];
      const auto n_new = static_cast<std::size_t>(
          std::count_if(children.begin(), children.end(), [&](auto i) { return last_of[i] != a; }));
      const std::size_t found = graph_.children[a].size() + n_new + k_ - 2;
      if (!set_.empty() && found >= fewest_) continue;
      fewest_ = found;
      set_ = {a, b};
    }
  }
}

void Search::try_sets_of(std::uint32_t a) {
  VariableOwners of_a(graph_);
  for (std::uint32_t j = a + 1; j < k_; ++j) of_a.give(j, 1);
  of_a.give(a, VariableOwners::all);
  // A flow of `a` causes fewer in play stands for the same |N(S)| - |S| + k.
  for (std::uint32_t b = a + 1; b < k_; ++b) {
    const std::size_t found = of_a.n_owned() + a;
    if (found + of_a.n_free(b) >= fewest_) continue;
    VariableOwners of_both = of_a;
    of_both.give(b, fewest_ - found);
    if (of_both.n_owned() + a >= fewest_) continue;
    fewest_ = of_both.n_owned() + a;
    Causes from = {a, b};
    for (std::uint32_t j = a + 1; j < k_; ++j) {
      if (j != b && of_both.n_owned(j) == 0) from.push_back(j);
    }
    set_ = of_both.reach(from);
  }
}

}  // namespace

Bipartite bipartite_of(const Eigen::MatrixXd& loadings) {
  Bipartite graph{static_cast<std::size_t>(loadings.rows()), {}};
  for (Eigen::Index j = 0; j < loadings.cols(); ++j) {
    graph.children.emplace_back();
    for (Eigen::Index i = 0; i < loadings.rows(); ++i) {
      if (loadings(i, j) != 0) graph.children.back().push_back(static_cast<std::uint32_t>(i));
    }
  }
  return graph;
}

Expansion check_expansion(const Bipartite& graph) {
  Expansion found;
  for (const auto& children : graph.children) {
    found.largest_degree = std::max(found.largest_degree, children.size());
  }
  if (graph.children.size() < 2) return found;
  found.set = Search(graph).run();
  found.neighbours = neighbours_of(graph, found.set);
  found.holds = found.neighbours.size() >= found.set.size() + found.largest_degree;
  return found;
}

// ---- variables dealt out among causes

VariableOwners::VariableOwners(const Bipartite& graph)
    : graph_(&graph),
      owner_(graph.n_observed, none),
      n_owned_(graph.children.size(), 0),
      found_in_(graph.n_observed, 0),
      finder_(graph.n_observed, none),
      reached_in_(graph.children.size(), 0),
      by_way_of_(graph.children.size(), none) {}

void VariableOwners::give(std::uint32_t cause, std::size_t n) {
  for (std::size_t i = 0; i < n && give_one(cause); ++i) {
    ++n_owned_[cause];
    ++n_owned_in_all_;
  }
}

// Breadth first from the cause, over a variable to its owner and on, until a variable is no one's.
bool VariableOwners::give_one(std::uint32_t cause) {
  ++search_;
  reached_in_[cause] = search_;
  queue_.assign(1, cause);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t finder = queue_[head];
    for (const std::uint32_t variable : graph_->children[finder]) {
      if (found_in_[variable] == search_) continue;
      found_in_[variable] = search_;
      finder_[variable] = finder;
      const std::uint32_t owner = owner_[variable];
      if (owner == none) {
        hand_over(variable, cause);
        return true;
      }
      if (reached_in_[owner] == search_) continue;
      reached_in_[owner] = search_;
      by_way_of_[owner] = variable;
      queue_.push_back(owner);
    }
  }
  return false;
}

// Every cause on the way back takes the variable that it found, and gives that by which it was
// found itself.
void VariableOwners::hand_over(std::uint32_t variable, std::uint32_t cause) {
  while (true) {
    const std::uint32_t finder = finder_[variable];
    owner_[variable] = finder;
    if (finder == cause) return;
    variable = by_way_of_[finder];
  }
}

std::size_t VariableOwners::n_free(std::uint32_t cause) const {
  const auto& children = graph_->children[cause];
  return static_cast<std::size_t>(
      std::count_if(children.begin(), children.end(), [&](auto i) { return owner_[i] == none; }));
}

std::vector<std::vector<std::uint32_t>> VariableOwners::owned() const {
  std::vector<std::vector<std::uint32_t>> variables(n_owned_.size());
  for (std::uint32_t i = 0; i < owner_.size(); ++i) {
    if (owner_[i] != none) variables[owner_[i]].push_back(i);
  }
  return variables;
}

std::vector<std::uint32_t> VariableOwners::reach(const std::vector<std::uint32_t>& from) const {
  std::vector<bool> is_reached(n_owned_.size(), false);
  std::vector<std::uint32_t> causes = from;
  for (const std::uint32_t cause : from) is_reached[cause] = true;
  for (std::size_t head = 0; head < causes.size(); ++head) {
    for (const std::uint32_t variable : graph_->children[causes[head]]) {
      const std::uint32_t owner = owner_[variable];
      if (owner == none || is_reached[owner]) continue;
      is_reached[owner] = true;
      causes.push_back(owner);
    }
  }
  std::sort(causes.begin(), causes.end());
  return causes;
}

std::vector<std::uint32_t> neighbours_of(const Bipartite& graph,
                                         const std::vector<std::uint32_t>& causes) {
  std::vector<std::uint32_t> neighbours;
  for (const std::uint32_t cause : causes) {
    neighbours.insert(neighbours.end(), graph.children[cause].begin(), graph.children[cause].end());
  }
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  return neighbours;
}

}  // namespace orrery::model
