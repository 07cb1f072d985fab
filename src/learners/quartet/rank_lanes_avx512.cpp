// The rank tests for this instruction set; compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 16
#include "learners/quartet/rank_lanes.hpp"

namespace orrery::quartet {

const RankKernel avx512_rank_kernel{screen, statistics};

}  // namespace orrery::quartet
