// Random networks and rows, and what a row says of a network by the definition: all 2^n states, one
// after the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

inline NoisyOrNetwork random_network(std::uint64_t seed, std::uint32_t n, std::uint32_t m,
                                     double density) {
  RowRandom random(seed, Stream::check, 0);
  std::vector<Cause> causes;
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::uint32_t u = 0; u < n; ++u) causes.push_back({"c", .02 + .6 * random.uniform()});
  for (std::uint32_t a = 0; a < m; ++a) {
    observed.push_back({"x", std::pow(10, -4 * random.uniform()) / 2});
  }
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t a = 0; a < m; ++a) {
      if (random.bernoulli(density)) edges.push_back({u, a, .02 + .9 * random.uniform()});
    }
  }
  return {causes, observed, edges};
}

struct RandomRow {
  std::vector<std::uint64_t> values, missing;
};

inline RandomRow random_row(std::uint64_t seed, std::size_t m, double on, double gone) {
  RowRandom random(seed, Stream::check, 1);
  RandomRow row{std::vector<std::uint64_t>((m + 63) / 64),
                std::vector<std::uint64_t>((m + 63) / 64)};
  for (std::size_t a = 0; a < m; ++a) {
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    if (random.bernoulli(gone)) {
      row.missing[a / 64] |= bit;
    } else if (random.bernoulli(on)) {
      row.values[a / 64] |= bit;
    }
  }
  return row;
}

inline bool has_bit(const std::vector<std::uint64_t>& words, std::size_t a) {
  return ((words[a / 64] >> (a % 64)) & 1U) != 0;
}

/// Everything by the definition.
struct AllStates {
  double likelihood = 0;
  std::vector<double> posterior, inverse;
  std::vector<std::vector<double>> shared;

  AllStates(const NoisyOrNetwork& network, const RandomRow& row)
      : posterior(network.n_causes(), 0),
        inverse(network.n_observed(), 0),
        shared(network.n_causes(), std::vector<double>(network.n_observed(), 0)) {
    for (std::uint32_t state = 0; state < 1U << network.n_causes(); ++state)
      add(network, row, state);
    for (auto& value : posterior) value /= likelihood;
    for (auto& value : inverse) value /= likelihood;
    for (auto& of_cause : shared) {
      for (auto& value : of_cause) value /= likelihood;
    }
  }

  void add(const NoisyOrNetwork& network, const RandomRow& row, std::uint32_t state) {
    double weight = 1;
    std::vector<double> on(network.n_observed());
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      const double prior = network.causes()[u].prior;
      weight *= (state >> u & 1U) != 0 ? prior : 1 - prior;
    }
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      double off = 1 - network.observed()[a].leak;
      for (std::size_t u = 0; u < network.n_causes(); ++u) {
        if ((state >> u & 1U) != 0) off *= network.failure(u, a);
      }
      on[a] = 1 - off;
      if (!has_bit(row.missing, a)) weight *= has_bit(row.values, a) ? on[a] : off;
    }
    likelihood += weight;
    for (std::size_t a = 0; a < on.size(); ++a) inverse[a] += weight / on[a];
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      if ((state >> u & 1U) == 0) continue;
      posterior[u] += weight;
      for (std::size_t a = 0; a < on.size(); ++a) shared[u][a] += weight / on[a];
    }
  }
};

}  // namespace orrery::model
