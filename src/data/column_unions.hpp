// Columns that are unions of others: on where one of them is (Halpern, Horng, Sontag 2015, App. E:
// an anchor of several columns).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"

namespace orrery::data {

/// The columns that are made, in order.
struct ColumnUnions {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;  ///< columns of the samples; one or more each
};

/// Of values without a missing one.
[[nodiscard]] inline BitColumns unite(const BitColumns& block, const ColumnUnions& unions) {
  BitColumns united(unions.members.size(), block.n_rows());
  for (std::size_t c = 0; c < unions.members.size(); ++c) {
    const auto into = united.column(c);
    for (const std::size_t member : unions.members[c]) {
      const auto from = block.column(member);
      for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
    }
  }
  return united;
}

}  // namespace orrery::data
