#pragma once

#include <cstdint>
#include <vector>

#include "orrery/data/bit_columns.hpp"

namespace orrery::model {

inline std::vector<std::uint64_t> words(const data::BitColumns& block) {
  return {block.words().begin(), block.words().end()};
}

}  // namespace orrery::model
