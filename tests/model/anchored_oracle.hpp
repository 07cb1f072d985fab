// Anchored networks at random, and posteriors of their causes by the definition: all 2^n states.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "model/inference_oracle.hpp"
#include "orrery/model/anchored_network.hpp"
#include "orrery/model/cause_posterior.hpp"

namespace orrery::model::oracle {

/// A cause's parents are some of those before it, in a random numbering. `corner`: the share of
/// probabilities that are 0 or 1.
inline CauseNetwork random_causes(std::mt19937_64& random, std::uint32_t n,
                                  std::size_t most_parents, double corner) {
  std::vector<std::uint32_t> number(n);
  for (std::uint32_t i = 0; i < n; ++i) number[i] = i;
  std::ranges::shuffle(number, random);
  std::vector<CauseTable> tables(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    CauseTable& table = tables[number[i]];
    const std::size_t most = std::min<std::size_t>(most_parents, i);
    const std::size_t n_parents = most == 0 ? 0 : random() % (most + 1);
    while (table.parents.size() < n_parents) {
      const std::uint32_t parent = number[random() % i];
      if (std::ranges::find(table.parents, parent) == table.parents.end()) {
        table.parents.push_back(parent);
      }
    }
    std::ranges::sort(table.parents);
    table.on.assign(std::size_t{1} << n_parents, 0);
    for (double& on : table.on) {
      on = uniform(random) < corner ? static_cast<double>(random() % 2)
                                    : .02 + .96 * uniform(random);
    }
  }
  return CauseNetwork(std::move(tables));
}

/// Loadings as random_network draws them; with `inner`, no probability of 0 or 1 at all.
inline AnchoredNetwork random_anchored(std::mt19937_64& random, std::uint32_t n, std::uint32_t m,
                                       std::size_t most_parents, double density, bool inner) {
  NoisyOrNetwork loadings = random_network(random, n, m, density);
  if (inner) {
    auto observed = loadings.observed();
    auto edges = loadings.edges();
    for (auto& one : observed) one.leak = std::pow(10, -5 * uniform(random)) / 2;
    for (auto& edge : edges) edge.failure = .05 + .9 * uniform(random);
    loadings = {loadings.causes(), observed, edges};
  }
  return {std::move(loadings), random_causes(random, n, most_parents, inner ? 0 : .2), {}};
}

/// What is known of causes besides the row; a share of those drawn from the causes themselves.
inline std::vector<CauseState> random_known(std::mt19937_64& random, std::size_t n, double share) {
  std::vector<CauseState> known(n, CauseState::unknown);
  for (CauseState& one : known) {
    if (uniform(random) < share) one = random() % 2 == 0 ? CauseState::off : CauseState::on;
  }
  return known;
}

/// P(state, row) by the causes as bits; the row's observed variables and known causes.
inline Posterior all_states(const AnchoredNetwork& network, const Row& row,
                            const std::vector<CauseState>& known) {
  const std::size_t n = network.n_causes();
  Posterior found;
  std::vector<long double> on(n, 0), off(n, 0);
  for (std::uint32_t state = 0; state < (1U << n); ++state) {
    std::vector<std::uint8_t> values(n);
    bool agrees = true;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<std::uint8_t>((state >> i) & 1U);
      agrees = agrees && (known[i] == CauseState::unknown ||
                          values[i] == static_cast<std::uint8_t>(known[i]));
    }
    long double weight = agrees ? 1 : 0;
    for (std::size_t i = 0; i < n && agrees; ++i) {
      const long double p = network.causes().on(i, values);
      weight *= values[i] != 0 ? p : 1 - p;
    }
    for (std::size_t j = 0; j < row.size() && agrees; ++j) {
      if (row[j] == Value::missing) continue;
      long double p = network.loadings().observed()[j].leak;
      for (std::size_t i = 0; i < n; ++i) {
        if (values[i] != 0) p += (1 - p) * (1 - network.loadings().failure(i, j));
      }
      weight *= row[j] == Value::on ? p : 1 - p;
    }
    found.states.push_back(weight);
    found.evidence += weight;
    for (std::size_t i = 0; i < n; ++i) (values[i] != 0 ? on[i] : off[i]) += weight;
  }
  for (std::size_t i = 0; i < n; ++i) {
    found.posterior.push_back(static_cast<double>(on[i] / found.evidence));
    found.absence.push_back(static_cast<double>(off[i] / found.evidence));
  }
  return found;
}

}  // namespace orrery::model::oracle
