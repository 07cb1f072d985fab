// Networks of causes and tables of their small sets, exact and of rows seen through noisy anchors,
// for the tests of the anchored learner: by listing all states and by counting, the slow way.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "learning/alone.hpp"
#include "orrery/model/cause_network.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

using learning::Alone;
using Parents = std::vector<std::vector<std::uint32_t>>;
using AllRates = std::vector<std::array<double, 2>>;

/// Random parents among earlier causes of a random order: exactly `in_degree` where there are so
/// many before. P(on | parents) rises from about .2 by strong and unlike steps a parent, so that no
/// two influences cancel out.
inline model::CauseNetwork random_causes(std::size_t n, std::size_t in_degree, std::uint64_t seed,
                                         double probability_of_edge = 1) {
  RowRandom random(seed, Stream::structure, 0);
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<model::CauseTable> tables(n);
  for (std::size_t place = 0; place < n; ++place) {
    model::CauseTable& table = tables[order[place]];
    std::vector<std::uint32_t> before(order.begin(), order.begin() + static_cast<long>(place));
    for (std::size_t p = 0; p < in_degree && !before.empty(); ++p) {
      const std::size_t pick = random.below(before.size());
      if (random.bernoulli(probability_of_edge)) table.parents.push_back(before[pick]);
      before.erase(before.begin() + static_cast<long>(pick));
    }
    std::sort(table.parents.begin(), table.parents.end());
    const double base = -1.5 + random.uniform();
    std::vector<double> steps;
    for (std::size_t p = 0; p < table.parents.size(); ++p) {
      steps.push_back((random.bernoulli(.7) ? 1 : -1) * (1.3 + random.uniform()));
    }
    table.on.clear();
    for (std::size_t state = 0; state < std::size_t{1} << table.parents.size(); ++state) {
      double logit = base;
      for (std::size_t p = 0; p < steps.size(); ++p) {
        if ((state >> p & 1U) != 0) logit += steps[p];
      }
      table.on.push_back(1 / (1 + std::exp(-logit)));
    }
  }
  return model::CauseNetwork(std::move(tables));
}

inline Parents parents_of(const model::CauseNetwork& network) {
  Parents parents;
  for (const model::CauseTable& table : network.tables()) parents.push_back(table.parents);
  return parents;
}

/// P(Y_Z) of every set, by all 2^n states.
inline model::SubsetTables exact_tables(const model::CauseNetwork& network, std::size_t order) {
  const std::size_t n = network.n_causes();
  model::SubsetTables tables(n, order);
  std::vector<std::uint8_t> values(n);
  for (std::size_t state = 0; state < std::size_t{1} << n; ++state) {
    for (std::size_t i = 0; i < n; ++i) values[i] = state >> i & 1U;
    const double p = std::exp(network.log_probability(values));
    for (std::size_t size = 1; size <= order; ++size) {
      tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
        std::size_t cell = 0;
        for (std::size_t i = 0; i < size; ++i) cell |= std::size_t{values[set[i]]} << i;
        tables.table(set)[cell] += p;
      });
    }
  }
  return tables;
}

/// Shares of rows: the causes by forward sampling, each seen through its anchor (rates empty: as it
/// is).
inline model::SubsetTables sampled_tables(const model::CauseNetwork& network, const AllRates& rates,
                                          std::size_t order, std::size_t n_rows,
                                          std::uint64_t seed) {
  const std::size_t n = network.n_causes();
  const std::size_t n_words = (n_rows + 63) / 64;
  std::vector<std::uint64_t> bits(n * n_words, 0);
  std::vector<std::uint8_t> values(n);
  for (std::size_t row = 0; row < n_rows; ++row) {
    RowRandom random(seed, Stream::rows, row);
    for (const std::uint32_t i : network.order()) {
      values[i] = random.bernoulli(network.on(i, values)) ? 1 : 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const bool seen = rates.empty() ? values[i] != 0 : random.bernoulli(rates[i][values[i]]);
      if (seen) bits[i * n_words + row / 64] |= std::uint64_t{1} << (row % 64);
    }
  }
  model::SubsetTables tables(n, order);
  for (std::size_t size = 1; size <= order; ++size) {
    tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      for (std::size_t cell = 0; cell < std::size_t{1} << size; ++cell) {
        std::size_t count = 0;
        for (std::size_t w = 0; w < n_words; ++w) {
          std::uint64_t all = ~std::uint64_t{0};
          if (w + 1 == n_words && n_rows % 64 != 0) all >>= 64 - n_rows % 64;
          for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t word = bits[set[i] * n_words + w];
            all &= (cell >> i & 1U) != 0 ? word : ~word;
          }
          count += static_cast<std::size_t>(std::popcount(all));
        }
        tables.table(set)[cell] = static_cast<double>(count) / static_cast<double>(n_rows);
      }
    });
  }
  return tables;
}

/// R^-1 of a table of anchors; what falls out of the simplex is set to 0 and the rest scaled.
inline std::vector<double> inverted(std::span<const std::uint32_t> set,
                                    std::span<const double> anchors, const AllRates& rates) {
  std::vector<double> cells(anchors.begin(), anchors.end());
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto [off, on] = rates[set[i]];
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if ((cell >> i & 1U) != 0) continue;
      double& zero = cells[cell];
      double& one = cells[cell | std::size_t{1} << i];
      const double all = zero + one;
      one = (one - off * all) / (on - off);
      zero = all - one;
    }
  }
  double sum = 0;
  for (double& cell : cells) sum += cell = std::max(cell, 0.0);
  for (double& cell : cells) cell /= sum;
  return cells;
}

inline model::SubsetTables recovered_tables(const model::SubsetTables& anchors,
                                            const AllRates& rates) {
  model::SubsetTables tables = anchors;
  for (std::size_t size = 1; size <= anchors.order(); ++size) {
    tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      std::ranges::copy(inverted(set, anchors.table(set), rates), tables.table(set).begin());
    });
  }
  return tables;
}

/// How many edges, directions aside, two graphs share.
inline std::size_t n_shared_edges(const Parents& one, const Parents& other) {
  std::size_t shared = 0;
  for (std::uint32_t i = 0; i < one.size(); ++i) {
    for (const std::uint32_t p : one[i]) {
      shared += static_cast<std::size_t>(std::ranges::count(other[i], p)) +
                static_cast<std::size_t>(std::ranges::count(other[p], i));
    }
  }
  return shared;
}

inline std::size_t n_edges(const Parents& parents) {
  std::size_t sum = 0;
  for (const auto& of : parents) sum += of.size();
  return sum;
}

}  // namespace orrery::anchored
