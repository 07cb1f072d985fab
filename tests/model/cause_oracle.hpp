// Random networks of causes, and sums over them by the definition: all 2^n states, one after the
// other. Bit i of a state is cause i.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/random.hpp"
#include "orrery/model/cause_elimination.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::model::cause_oracle {

inline bool bit(std::size_t state, std::size_t i) { return ((state >> i) & 1U) != 0; }

inline std::vector<std::uint8_t> values_of(std::size_t state, std::size_t n) {
  std::vector<std::uint8_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = bit(state, i) ? 1 : 0;
  return values;
}

/// Up to `in_degree` parents each, among those before it in a random order.
inline CauseNetwork random_causes(std::uint64_t seed, std::uint32_t n, std::size_t in_degree) {
  RowRandom random(seed, Stream::check, n);
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<CauseTable> tables(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    CauseTable& table = tables[order[i]];
    const std::size_t n_parents = std::min<std::size_t>(i, random.below(in_degree + 1));
    while (table.parents.size() < n_parents) {
      const std::uint32_t parent = order[random.below(i)];
      if (std::ranges::find(table.parents, parent) == table.parents.end()) {
        table.parents.push_back(parent);
      }
    }
    std::ranges::sort(table.parents);
    table.on.resize(std::size_t{1} << table.parents.size());
    for (double& on : table.on) on = .02 + .96 * random.uniform();
  }
  return CauseNetwork(tables);
}

inline std::vector<CauseWeight> random_weights(std::uint64_t seed, std::size_t n) {
  RowRandom random(seed, Stream::noise, n);
  std::vector<CauseWeight> weights(n);
  for (CauseWeight& weight : weights) weight = {3 * random.uniform(), 3 * random.uniform()};
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

}  // namespace orrery::model::cause_oracle
