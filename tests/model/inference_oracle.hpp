// Evidence, posteriors and the order of states by the definition: all 2^n states of all causes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "model/oracle.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model::oracle {

struct Bits {
  std::vector<std::uint64_t> values, missing;
};

inline Bits bits_of(const Row& row) {
  Bits bits{std::vector<std::uint64_t>((row.size() + 63) / 64),
            std::vector<std::uint64_t>((row.size() + 63) / 64)};
  for (std::size_t a = 0; a < row.size(); ++a) {
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    if (row[a] == Value::on) bits.values[a / 64] |= bit;
    if (row[a] == Value::missing) bits.missing[a / 64] |= bit;
  }
  return bits;
}

inline Row random_row(std::mt19937_64& random, std::size_t n, double on, double missing) {
  Row row(n, Value::off);
  for (Value& value : row) {
    if (uniform(random) < missing) {
      value = Value::missing;
    } else if (uniform(random) < on) {
      value = Value::on;
    }
  }
  return row;
}

struct Posterior {
  long double evidence = 0;
  std::vector<double> posterior, absence;
  std::vector<long double> states;  ///< P(state, row), by the causes as bits
};

inline long double state_probability(const NoisyOrNetwork& network, const Row& row,
                                     std::uint32_t state) {
  const auto present = [&](std::size_t c) { return ((state >> c) & 1U) != 0; };
  long double weight = 1;
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    const long double prior = network.causes()[c].prior;
    weight *= present(c) ? prior : 1 - prior;
  }
  std::vector<long double> on(row.size());
  for (std::size_t a = 0; a < row.size(); ++a) on[a] = network.observed()[a].leak;
  for (const Edge& edge : network.edges()) {
    const long double failure = edge.failure;
    if (present(edge.cause)) on[edge.observed] = (1 - failure) + failure * on[edge.observed];
  }
  for (std::size_t a = 0; a < row.size(); ++a) {
    if (row[a] != Value::missing) weight *= row[a] == Value::on ? on[a] : 1 - on[a];
  }
  return weight;
}

inline Posterior all_states(const NoisyOrNetwork& network, const Row& row) {
  Posterior found;
  std::vector<long double> sums(network.n_causes(), 0);
  for (std::uint32_t state = 0; state < (1U << network.n_causes()); ++state) {
    found.states.push_back(state_probability(network, row, state));
    found.evidence += found.states.back();
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (((state >> c) & 1U) != 0) sums[c] += found.states.back();
    }
  }
  for (const long double sum : sums) {
    found.posterior.push_back(static_cast<double>(sum / found.evidence));
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    long double absent = 0;
    for (std::uint32_t state = 0; state < found.states.size(); ++state) {
      if (((state >> c) & 1U) == 0) absent += found.states[state];
    }
    found.absence.push_back(static_cast<double>(absent / found.evidence));
  }
  return found;
}

}  // namespace orrery::model::oracle
