// Random networks with known answers, and what perfect tests could learn of them, by brute force.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::learning::planted {

inline double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1.0p-53;
}
/// Uniform on low..high, both included.
inline std::size_t integer(std::mt19937_64& random, std::size_t low, std::size_t high) {
  return low + static_cast<std::size_t>(random() % (high - low + 1));
}

struct Ranges {
  std::size_t min_causes = 2, max_causes = 8;
  std::size_t min_observed = 12, max_observed = 24;
  std::size_t min_children = 4, max_children = 10;
  double min_prior = .05, max_prior = .45;
  double min_failure = .02, max_failure = .8;
  double max_leak = .2;
};

inline model::NoisyOrNetwork network(std::mt19937_64& random, const Ranges& ranges) {
  std::vector<model::Cause> causes(integer(random, ranges.min_causes, ranges.max_causes));
  std::vector<model::Observed> observed(integer(random, ranges.min_observed, ranges.max_observed));
  std::vector<std::uint32_t> order(observed.size());
  for (std::uint32_t x = 0; x < observed.size(); ++x) {
    observed[x] = {fmt::format("x{}", x), uniform(random, 0, ranges.max_leak)};
    order[x] = x;
  }
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    causes[u] = {fmt::format("u{}", u), uniform(random, ranges.min_prior, ranges.max_prior)};
    const std::size_t n_children = integer(random, ranges.min_children, ranges.max_children);
    for (std::size_t i = 0; i < n_children; ++i) {
      std::swap(order[i], order[integer(random, i, order.size() - 1)]);
      edges.push_back({u, order[i], uniform(random, ranges.min_failure, ranges.max_failure)});
    }
  }
  return {causes, observed, edges};
}

/// P(every one of `set` off) with the given causes only, by enumerating their states.
inline double negative_moment(const model::NoisyOrNetwork& network,
                              const std::vector<std::size_t>& causes,
                              const std::vector<std::size_t>& set) {
  long double sum = 0;
  for (std::size_t state = 0; state < (std::size_t{1} << causes.size()); ++state) {
    long double weight = 1;
    for (const std::size_t x : set) weight *= 1 - network.observed()[x].leak;
    for (std::size_t i = 0; i < causes.size(); ++i) {
      const bool present = ((state >> i) & 1U) != 0;
      const double prior = network.causes()[causes[i]].prior;
      weight *= present ? prior : 1 - prior;
      if (!present) continue;
      for (const model::Edge& edge : network.edges()) {
        if (edge.cause == causes[i] && std::ranges::find(set, edge.observed) != set.end()) {
          weight *= edge.failure;
        }
      }
    }
    sum += weight;
  }
  return static_cast<double>(sum);
}

/// True if `size` of the variables in `pool` can be chosen no two of which are `coupled`.
inline bool has_uncoupled(const std::vector<std::vector<bool>>& coupled,
                          const std::vector<std::size_t>& pool, std::size_t size) {
  if (size == 0) return true;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    std::vector<std::size_t> rest;
    for (std::size_t j = i + 1; j < pool.size(); ++j) {
      if (!coupled[pool[i]][pool[j]]) rest.push_back(pool[j]);
    }
    if (has_uncoupled(coupled, rest, size - 1)) return true;
  }
  return false;
}

/// The depth of each cause with perfect tests: the first round in which it has `size` children no
/// two of which share another cause that is still there; a round's causes leave together. -1:
/// never.
inline std::vector<int> depths(const model::NoisyOrNetwork& network, std::size_t size) {
  std::vector<int> depth(network.n_causes(), -1);
  for (int round = 0;; ++round) {
    std::vector<std::size_t> found;
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      if (depth[u] >= 0) continue;
      const std::size_t m = network.n_observed();
      std::vector<std::vector<bool>> coupled(m, std::vector<bool>(m, false));
      for (std::size_t other = 0; other < network.n_causes(); ++other) {
        if (other == u || depth[other] >= 0) continue;
        for (const model::Edge& x : network.children(other)) {
          for (const model::Edge& y : network.children(other)) {
            coupled[x.observed][y.observed] = true;
          }
        }
      }
      std::vector<std::size_t> children;
      for (const model::Edge& edge : network.children(u)) children.push_back(edge.observed);
      if (has_uncoupled(coupled, children, size)) found.push_back(u);
    }
    if (found.empty()) return depth;
    for (const std::size_t u : found) depth[u] = round;
  }
}

}  // namespace orrery::learning::planted
