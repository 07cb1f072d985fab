// The E-step for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_LANES 8
#include "families/noisy_or/variational_em/e_step_lanes.hpp"

namespace orrery::variational_em {

extern const EStepKernel e_step_avx2;
const EStepKernel e_step_avx2{prepare, add_rows};

}  // namespace orrery::variational_em
