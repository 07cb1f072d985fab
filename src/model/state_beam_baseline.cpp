// States of a row with one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_LANES 2
#include "model/state_beam_lanes.hpp"

namespace orrery::model {

RowKernels row_kernels_baseline() { return {find_off_in_lanes, open_in_lanes, add_share_in_lanes}; }

}  // namespace orrery::model
