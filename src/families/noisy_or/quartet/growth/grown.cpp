#include "families/noisy_or/quartet/growth/grown.hpp"

#include <cstdint>
#include <utility>

namespace orrery::quartet {

Grown to_grown(const model::NoisyOrNetwork& network) {
  Grown grown;
  for (const model::Observed& observed : network.observed()) grown.leaks.push_back(observed.leak);
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    grown.failures.push_back(network.dense_failures(c));
    grown.causes.add_root(network.causes()[c].prior);
  }
  if (network.has_dependent_causes()) grown.causes.tables = network.cause_network().tables();
  return grown;
}

model::NoisyOrNetwork to_network(const Grown& grown, const std::vector<std::string>& cause_names,
                                 const std::vector<std::string>& names) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  const std::vector<double> priors = grown.causes.marginals();
  for (std::size_t c = 0; c < grown.n_causes(); ++c) {
    causes.push_back({cause_names[c], priors[c]});
    for (std::size_t a = 0; a < grown.n_observed(); ++a) {
      const double failure = grown.failures[c][a];
      if (failure >= 1) continue;
      edges.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(a), failure});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < names.size(); ++a) observed.push_back({names[a], grown.leaks[a]});
  model::CauseNetwork dependence;
  if (grown.causes.n_edges() > 0) dependence = grown.causes.network();
  return {std::move(causes), std::move(observed), std::move(edges), std::move(dependence)};
}

}  // namespace orrery::quartet
