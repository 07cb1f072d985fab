// Causes that depend on one another and anchored networks, at random, and what the definition says
// of them: sums over all 2^n states, one after the other. Bit i of a state is cause i.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "model/cause_elimination.hpp"
#include "model/cause_posterior.hpp"
#include "model/inference_oracle.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model::oracle {

inline bool bit(std::size_t state, std::size_t i) { return ((state >> i) & 1U) != 0; }

inline std::vector<std::uint8_t> values_of(std::size_t state, std::size_t n) {
  std::vector<std::uint8_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = bit(state, i) ? 1 : 0;
  return values;
}

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

inline CauseNetwork random_causes(std::uint64_t seed, std::uint32_t n, std::size_t most_parents) {
  std::mt19937_64 random(seed);
  return random_causes(random, n, most_parents, 0);
}

inline std::vector<CauseWeight> random_weights(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  std::vector<CauseWeight> weights(n);
  for (CauseWeight& weight : weights) weight = {3 * uniform(random), 3 * uniform(random)};
  return weights;
}

inline std::vector<CauseWeight> no_weights(std::size_t n) {
  return std::vector<CauseWeight>(n, CauseWeight{1, 1});
}

/// P(y) prod_i weights[i][y_i] of every state y.
inline std::vector<double> weighed_states(const CauseNetwork& causes,
                                          std::span<const CauseWeight> weights) {
  const std::size_t n = causes.n_causes();
  std::vector<double> states(std::size_t{1} << n);
  for (std::size_t state = 0; state < states.size(); ++state) {
    states[state] = std::exp(causes.log_probability(values_of(state, n)));
    for (std::size_t i = 0; i < n; ++i) states[state] *= weights[i][bit(state, i) ? 1 : 0];
  }
  return states;
}

inline double sum_of(std::span<const double> states) {
  double sum = 0;
  for (const double state : states) sum += state;
  return sum;
}

/// The table of a set from what every state weighs.
inline std::vector<double> table_of(std::span<const double> states,
                                    std::span<const std::uint32_t> set) {
  std::vector<double> cells(std::size_t{1} << set.size(), 0);
  for (std::size_t state = 0; state < states.size(); ++state) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (bit(state, set[i])) cell |= std::size_t{1} << i;
    }
    cells[cell] += states[state];
  }
  return cells;
}

/// y_2 -> y_0 <- y_1 (out of order); an anchor, a violated one, a column without a leak.
inline NoisyOrNetwork small_anchored() {
  const CauseNetwork causes({{{1, 2}, {.1, .6, .5, .2}}, {{}, {.3}}, {{1}, {.2, .7}}});
  const NoisyOrNetwork loadings({{"y0", .5}, {"y1", .5}, {"y2", .5}},
                                {{"a", .1}, {"b", .05}, {"c", 0}},
                                {{0, 0, .2}, {1, 1, .3}, {2, 1, .8}, {0, 2, .5}, {2, 2, .4}});
  return {loadings, causes, {{0, 0}, {1, 1}}};
}

/// Loadings as random_network draws them; with `inner`, no probability of 0 or 1 at all.
inline NoisyOrNetwork random_anchored(std::mt19937_64& random, std::uint32_t n, std::uint32_t m,
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

/// An anchor a cause in the first columns, then columns with an edge from each in two causes.
inline NoisyOrNetwork random_with_anchors(std::uint64_t seed, std::uint32_t n, std::uint32_t m,
                                          std::size_t most_parents) {
  std::mt19937_64 random(seed);
  std::vector<Cause> names(n, Cause{"y", .5});
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  std::vector<Anchor> anchors;
  for (std::uint32_t j = 0; j < m; ++j) {
    observed.push_back({"x", .2 * uniform(random)});
    for (std::uint32_t i = 0; i < n; ++i) {
      if (j < n ? i == j : uniform(random) < .5) edges.push_back({i, j, .9 * uniform(random)});
    }
    if (j < n) anchors.push_back({j, j});
  }
  return {NoisyOrNetwork(names, observed, edges), random_causes(random, n, most_parents, 0),
          anchors};
}

/// P(y, x); bit i of the cell is cause i, the bits of the findings follow.
inline double probability(const NoisyOrNetwork& network, std::size_t cell) {
  const std::size_t n = network.n_causes();
  double p = std::exp(network.cause_network().log_probability(values_of(cell, n)));
  for (std::size_t j = 0; j < network.n_observed(); ++j) {
    double off = 1 - network.observed()[j].leak;
    for (std::size_t i = 0; i < n; ++i) {
      if (bit(cell, i)) off *= network.failure(i, j);
    }
    p *= bit(cell, n + j) ? 1 - off : off;
  }
  return p;
}

/// Of all cells.
inline std::vector<double> distribution(const NoisyOrNetwork& network) {
  std::vector<double> cells(std::size_t{1} << (network.n_causes() + network.n_observed()));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    cells[cell] = probability(network, cell);
  }
  return cells;
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
inline Posterior all_states(const NoisyOrNetwork& network, const Row& row,
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
      const long double p = network.cause_network().on(i, values);
      weight *= values[i] != 0 ? p : 1 - p;
    }
    for (std::size_t j = 0; j < row.size() && agrees; ++j) {
      if (row[j] == Value::missing) continue;
      long double p = network.observed()[j].leak;
      for (std::size_t i = 0; i < n; ++i) {
        if (values[i] != 0) p += (1 - p) * (1 - network.failure(i, j));
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
