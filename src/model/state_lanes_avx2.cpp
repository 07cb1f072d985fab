// The kernels of states of causes (state_beam.hpp, state_sums.hpp) for one
// instruction set; the compile flags are in CMakeLists.txt.
#define ORRERY_LANES 4
#include "model/state_beam_lanes.hpp"
#include "model/state_search_lanes.hpp"
#include "model/state_sums_lanes.hpp"

namespace orrery::model {

RowKernels row_kernels_avx2() {
  return {find_off_in_lanes, weigh_in_lanes,      find_shares_in_lanes,
          open_in_lanes,     find_heavy_in_lanes, add_share_in_lanes};
}

SearchResult search_states_avx2(const SearchArrays& arrays) { return search_states(arrays); }

StateSumsKernels state_sums_kernels_avx2() { return {add_rows_in_lanes, find_row_in_lanes}; }

}  // namespace orrery::model
