// Distributions of a few binary variables, state by state, and the tables of their small sets.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace orrery::anchored {

/// 2^n probabilities, bit i of a state: variable i. Of uneven mass: powers of uniform draws.
inline std::vector<double> random_joint(std::size_t n, std::uint64_t seed, double power = 3) {
  RowRandom random(seed, Stream::check, 0);
  std::vector<double> joint(std::size_t{1} << n);
  double sum = 0;
  for (double& cell : joint) sum += cell = std::pow(random.uniform(), power);
  for (double& cell : joint) cell /= sum;
  return joint;
}

inline std::vector<Rates> random_rates(std::size_t n, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 1);
  std::vector<Rates> rates(n);
  for (Rates& r : rates) r = {.15 * random.uniform(), .6 + .35 * random.uniform()};
  return rates;
}

inline std::uint32_t cell_of(std::size_t state, std::span<const std::uint32_t> set) {
  std::uint32_t cell = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    cell |= static_cast<std::uint32_t>((state >> set[i]) & 1U) << i;
  }
  return cell;
}

inline model::SubsetTables tables_of(const std::vector<double>& joint, std::size_t n,
                                     std::size_t order) {
  model::SubsetTables tables(n, order);
  for (std::size_t size = 1; size <= order; ++size) {
    tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      for (std::size_t state = 0; state < joint.size(); ++state) {
        tables.table(set)[cell_of(state, set)] += joint[state];
      }
    });
  }
  return tables;
}

/// Anchors of causes with this distribution, exact.
inline AnchorTables exact_anchors(std::vector<double> joint, std::size_t n, std::size_t order,
                                  const std::vector<Rates>& rates) {
  apply_noise(joint, rates);
  return {tables_of(joint, n, order), rates};
}

/// A joint distribution as the share of each state among draws from it.
inline std::vector<double> sampled(const std::vector<double>& joint, std::size_t n_samples,
                                   std::uint64_t seed) {
  std::vector<double> counts(joint.size(), 0);
  for (std::size_t row = 0; row < n_samples; ++row) {
    double left = RowRandom(seed, Stream::check, 1000 + row).uniform();
    std::size_t state = 0;
    while (state + 1 < joint.size() && left >= joint[state]) left -= joint[state++];
    counts[state] += 1;
  }
  for (double& count : counts) count /= static_cast<double>(n_samples);
  return counts;
}

/// Anchors of so many draws of the causes.
inline AnchorTables sampled_anchors(std::vector<double> joint, std::size_t n, std::size_t order,
                                    const std::vector<Rates>& rates, std::size_t n_samples,
                                    std::uint64_t seed) {
  apply_noise(joint, rates);
  return {tables_of(sampled(joint, n_samples, seed), n, order), rates};
}

}  // namespace orrery::anchored
