// Small networks and rows for the tests of variational EM.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "families/noisy_or/variational_em/fit.hpp"
#include "learning/planted.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::variational_em {

inline Parameters parameters_of(const model::NoisyOrNetwork& network) {
  Parameters parameters{network.n_causes(), network.n_observed(), {}, {}, {}};
  for (const auto& cause : network.causes()) parameters.prior.push_back(cause.prior);
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    parameters.leak.push_back(std::max(network.observed()[a].leak, least_leak));
    for (std::size_t k = 0; k < network.n_causes(); ++k) {
      parameters.failure.push_back(std::min(network.failure(k, a), most_failure));
    }
  }
  return parameters;
}

inline model::NoisyOrNetwork network_of(const Parameters& parameters) {
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t k = 0; k < parameters.n_causes; ++k) {
    causes.push_back({fmt::format("u{}", k), parameters.prior[k]});
    for (std::uint32_t a = 0; a < parameters.n_observed; ++a) {
      edges.push_back({k, a, parameters.failure[a * parameters.n_causes + k]});
    }
  }
  for (std::size_t a = 0; a < parameters.n_observed; ++a) {
    observed.push_back({fmt::format("x{}", a), parameters.leak[a]});
  }
  return {causes, observed, edges};
}

inline Parameters random_parameters(std::mt19937_64& random, std::size_t n, std::size_t m) {
  using learning::planted::uniform;
  Parameters parameters{n, m, {}, {}, {}};
  for (std::size_t k = 0; k < n; ++k) parameters.prior.push_back(uniform(random, .05, .6));
  for (std::size_t i = 0; i < n * m; ++i) {
    parameters.failure.push_back(uniform(random, 0, 1) < .3 ? 1 - 1e-7 : uniform(random, .02, .95));
  }
  for (std::size_t a = 0; a < m; ++a) parameters.leak.push_back(uniform(random, .001, .2));
  return parameters;
}

/// Restarts that begin from these parameters.
inline std::vector<Restart> restarts_from(const std::vector<Parameters>& starts) {
  std::vector<Restart> restarts;
  for (const Parameters& start : starts) restarts.emplace_back().next = start;
  return restarts;
}

}  // namespace orrery::variational_em
