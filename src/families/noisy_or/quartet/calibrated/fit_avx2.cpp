// The quartet fit for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 8
#include "families/noisy_or/quartet/calibrated/fit_lanes.hpp"

namespace orrery::quartet {

void fit_avx2(const FitBatch& batch, FitResult& result) { fit(batch, result); }

}  // namespace orrery::quartet
