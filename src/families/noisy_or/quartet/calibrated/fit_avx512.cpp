// The quartet fit for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 16
#include "families/noisy_or/quartet/calibrated/fit_lanes.hpp"

namespace orrery::quartet {

void fit_avx512(const FitBatch& batch, FitResult& result) { fit(batch, result); }

}  // namespace orrery::quartet
