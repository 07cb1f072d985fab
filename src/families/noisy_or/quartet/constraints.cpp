#include "families/noisy_or/quartet/constraints.hpp"

#include <algorithm>
#include <map>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

std::set<std::pair<std::string, std::uint32_t>> place(
    const std::vector<learning::KnownParts::NamedEdge>& edges,
    const std::vector<std::string>& names) {
  std::map<std::string, std::uint32_t> number;
  for (std::uint32_t a = 0; a < names.size(); ++a) number[names[a]] = a;
  std::set<std::pair<std::string, std::uint32_t>> placed;
  for (const auto& edge : edges) placed.emplace(edge.cause, number.at(edge.observed));
  return placed;
}

}  // namespace

Constraints::Constraints(const learning::KnownParts* known, const std::vector<std::string>& names) {
  if (known == nullptr) return;
  const auto add = [&](const model::NoisyOrNetwork& network) {
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      if (is_known_name(network.causes()[u].name)) continue;
      causes_.push_back(network.causes()[u]);
      const std::vector<double> dense = network.dense_failures(u);
      failures_.insert(failures_.end(), dense.begin(), dense.end());
    }
  };
  if (known->structure) {
    for (const model::Cause& cause : known->structure->causes()) fixed_.insert(cause.name);
    add(*known->structure);
  }
  if (known->start) add(*known->start);
  forbidden_ = place(known->forbidden, names);
  required_ = place(known->required, names);
}

bool Constraints::is_known_name(const std::string& cause) const {
  return std::ranges::any_of(causes_, [&](const auto& known) { return known.name == cause; });
}

bool Constraints::has(const EdgeSet& edges, const std::string& cause, std::uint32_t observed) {
  return edges.contains({cause, observed}) || edges.contains({"*", observed});
}

bool Constraints::may_add(const std::string& cause, std::uint32_t observed) const {
  return !is_fixed(cause) && !has(forbidden_, cause, observed);
}

bool Constraints::may_drop(const std::string& cause, std::uint32_t observed) const {
  return !is_fixed(cause) && !has(required_, cause, observed);
}

model::NoisyOrNetwork Constraints::conform(model::NoisyOrNetwork network) const {
  if (forbidden_.empty() && required_.empty()) return network;
  std::vector<model::Edge> edges;
  for (const model::Edge& edge : network.edges()) {
    const std::string& cause = network.causes()[edge.cause].name;
    if (is_fixed(cause) || may_add(cause, edge.observed)) edges.push_back(edge);
  }
  for (std::uint32_t u = 0; u < network.n_causes(); ++u) {
    const std::string& cause = network.causes()[u].name;
    for (const auto& [name, observed] : required_) {
      const bool meant = name == cause || (name == "*" && !is_fixed(cause));
      if (meant && network.failure(u, observed) == 1) {
        edges.push_back({u, observed, constants::refinement::required_start});
      }
    }
  }
  return {network.causes(), network.observed(), std::move(edges)};
}

}  // namespace orrery::quartet
