// The rank tests for this instruction set; compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 4
#include "learners/quartet/rank_lanes.hpp"

namespace orrery::quartet {

const RankKernel baseline_rank_kernel{screen, statistics};

}  // namespace orrery::quartet
