// The E-step for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_LANES 4
#include "families/noisy_or/variational_em/e_step_lanes.hpp"

namespace orrery::variational_em {

extern const EStepKernel e_step_baseline;
const EStepKernel e_step_baseline{prepare, add_rows};

}  // namespace orrery::variational_em
