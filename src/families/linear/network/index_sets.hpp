// Sets of some of n numbers, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace orrery::model {

/// Rising numbers below n.
using IndexSet = std::vector<std::uint32_t>;

/// 0, 1, ..., size - 1.
inline IndexSet first_set(std::size_t size) {
  IndexSet set(size);
  std::iota(set.begin(), set.end(), 0U);
  return set;
}

/// The next set of as many of n numbers, in lexicographic order. False after the last.
inline bool next_set(IndexSet& set, std::size_t n) {
  for (std::size_t i = set.size(); i-- > 0;) {
    if (set[i] + (set.size() - i) < n) {
      std::iota(set.begin() + static_cast<std::ptrdiff_t>(i), set.end(), set[i] + 1);
      return true;
    }
  }
  return false;
}

}  // namespace orrery::model
