// All networks of a few causes, for tests that compare with every one of them.
#pragma once

#include <bit>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::anchored {

/// Whether some order has every cause after its parents.
inline bool is_acyclic(const std::vector<std::uint32_t>& parents) {
  std::uint32_t placed = 0;
  const std::uint32_t all = (std::uint32_t{1} << parents.size()) - 1;
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::uint32_t i = 0; i < parents.size(); ++i) {
      if ((placed >> i & 1U) != 0 || (parents[i] & ~placed) != 0) continue;
      placed |= std::uint32_t{1} << i;
      moved = true;
    }
  }
  return placed == all;
}

/// Every choice of up to max_parents parents per cause that makes no cycle.
template <class Use>  // void(const std::vector<std::vector<std::uint32_t>>& parents)
void for_each_dag(std::uint32_t n, int max_parents, const Use& use) {
  std::vector<std::uint32_t> masks(n, 0);
  const std::uint32_t end = std::uint32_t{1} << n;
  while (true) {
    bool fits = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      fits = fits && (masks[i] >> i & 1U) == 0 && std::popcount(masks[i]) <= max_parents;
    }
    if (fits && is_acyclic(masks)) {
      std::vector<std::vector<std::uint32_t>> parents(n);
      for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
          if ((masks[i] >> j & 1U) != 0) parents[i].push_back(j);
        }
      }
      use(parents);
    }
    std::uint32_t i = 0;
    while (i < n && ++masks[i] == end) masks[i++] = 0;
    if (i == n) return;
  }
}

/// P = .5 everywhere.
inline std::vector<model::CauseTable> tables_of(
    const std::vector<std::vector<std::uint32_t>>& parents) {
  std::vector<model::CauseTable> tables;
  for (const auto& of : parents) {
    tables.push_back({of, std::vector<double>(std::size_t{1} << of.size(), .5)});
  }
  return tables;
}

}  // namespace orrery::anchored
