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
[[nodiscard]] BitColumns unite(const BitColumns& block, const ColumnUnions& unions);

}  // namespace orrery::data
