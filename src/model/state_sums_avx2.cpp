// The sums over all states for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_LANES 4
#include "model/state_sums_lanes.hpp"

namespace orrery::model {

double add_rows_avx2(const StateSumsArrays& arrays, const std::uint64_t* values,
                     const std::uint64_t* missing, std::size_t n_rows) {
  return RowAdder(arrays).add(values, missing, n_rows);
}

}  // namespace orrery::model
