// Small noisy-OR networks and their negative moments by enumerating all states of the causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace orrery::moments::examples {

inline double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1.0p-53;
}

struct SmallNetwork {
  std::vector<double> priors;
  std::vector<std::vector<double>> failures;  // [cause][observed], 1: no edge
  std::vector<double> leaks;

  /// P(every variable of `mask` off).
  [[nodiscard]] double negative(std::size_t mask) const {
    long double sum = 0;
    for (std::size_t state = 0; state < (std::size_t{1} << priors.size()); ++state) {
      long double weight = 1;
      for (std::size_t u = 0; u < priors.size(); ++u) {
        weight *= ((state >> u) & 1U) != 0 ? priors[u] : 1 - priors[u];
      }
      for (std::size_t x = 0; x < leaks.size(); ++x) {
        if (((mask >> x) & 1U) == 0) continue;
        weight *= 1 - leaks[x];
        for (std::size_t u = 0; u < priors.size(); ++u) {
          if (((state >> u) & 1U) != 0) weight *= failures[u][x];
        }
      }
      sum += weight;
    }
    return static_cast<double>(sum);
  }
};

/// Each edge with probability `density`; priors .05-.45, failures .02-.8, leaks 0-.3.
inline SmallNetwork random_network(std::mt19937_64& random, std::size_t n_causes, std::size_t m,
                                   double density) {
  SmallNetwork network;
  for (std::size_t x = 0; x < m; ++x) network.leaks.push_back(uniform(random, 0, .3));
  for (std::size_t u = 0; u < n_causes; ++u) {
    network.priors.push_back(uniform(random, .05, .45));
    network.failures.emplace_back(m, 1.0);
    for (double& failure : network.failures.back()) {
      if (uniform(random, 0, 1) < density) failure = uniform(random, .02, .8);
    }
  }
  return network;
}

}  // namespace orrery::moments::examples
