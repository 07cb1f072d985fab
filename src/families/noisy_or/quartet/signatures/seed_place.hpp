// How far a search by seeds is (seed_search.hpp): all that a checkpoint needs of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::quartet {

struct SeedPlace {
  std::size_t next = 0;                ///< the first seed that was never looked at
  std::vector<std::uint32_t> waiting;  ///< earlier ones that were put off, ascending
  std::vector<std::uint32_t> failed;   ///< m: seeds of a variable that were tried in vain
};

}  // namespace orrery::quartet
