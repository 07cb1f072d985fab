// The update of eight rows (row_update.hpp) for one instruction set; the compile flags are in
// CMakeLists.txt.
#define ORRERY_LANES 4
#include "families/categorical/structural_ep/bounds_lanes.hpp"
#include "families/categorical/structural_ep/row_update_lanes.hpp"

namespace orrery::structural_ep {

RowUpdate row_update_avx2() { return {add_logs_in_lanes, update_in_lanes, share_in_lanes}; }

}  // namespace orrery::structural_ep
