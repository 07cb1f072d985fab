#include "model/components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::model {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];  // halves the path
      i = parent_[i];
    }
    return i;
  }
  // The smaller index stays the root.
  void unite(std::uint32_t i, std::uint32_t j) {
    const auto [low, high] = std::minmax({find(i), find(j)});
    parent_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::vector<std::uint32_t> children_of(const NoisyOrNetwork& network,
                                       std::span<const std::uint32_t> causes) {
  std::vector<std::uint32_t> variables;
  for (const std::uint32_t c : causes) {
    for (const Edge& edge : network.children(c)) variables.push_back(edge.observed);
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> connected_causes(const NoisyOrNetwork& network) {
  constexpr auto none = static_cast<std::uint32_t>(-1);
  const auto n_causes = static_cast<std::uint32_t>(network.n_causes());
  DisjointSets sets(n_causes);
  std::vector<std::uint32_t> first_parent(network.n_observed(), none);
  for (const Edge& edge : network.edges()) {
    std::uint32_t& first = first_parent[edge.observed];
    if (first == none) {
      first = edge.cause;
    } else {
      sets.unite(first, edge.cause);
    }
  }
  std::vector<std::vector<std::uint32_t>> components;
  std::vector<std::size_t> component_of(n_causes);
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    const std::uint32_t root = sets.find(c);
    if (root == c) {  // met before its other members: it is the smallest
      component_of[c] = components.size();
      components.emplace_back();
    }
    components[component_of[root]].push_back(c);
  }
  return components;
}

Component make_component(const NoisyOrNetwork& network, std::span<const std::uint32_t> causes) {
  Component part;
  part.causes.assign(causes.begin(), causes.end());
  part.variables = children_of(network, causes);
  for (const std::uint32_t a : part.variables) {
    part.leak.push_back(network.observed()[a].leak);
    part.log_quiet.push_back(std::log1p(-part.leak.back()));
  }
  part.first_edge.push_back(0);
  for (const std::uint32_t c : causes) {
    part.prior.push_back(network.causes()[c].prior);
    for (const Edge& edge : network.children(c)) {
      const auto local =
          std::lower_bound(part.variables.begin(), part.variables.end(), edge.observed);
      part.edges.push_back(
          {static_cast<std::uint32_t>(local - part.variables.begin()), edge.failure});
    }
    part.first_edge.push_back(part.edges.size());
  }
  return part;
}

std::vector<std::uint32_t> orphans(const NoisyOrNetwork& network) {
  std::vector<bool> has_parent(network.n_observed(), false);
  for (const Edge& edge : network.edges()) has_parent[edge.observed] = true;
  std::vector<std::uint32_t> variables;
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    if (!has_parent[a]) variables.push_back(a);
  }
  return variables;
}

}  // namespace orrery::model
