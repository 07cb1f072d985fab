#include "families/linear/network/variable_owners.hpp"

#include <algorithm>

namespace orrery::model {

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
