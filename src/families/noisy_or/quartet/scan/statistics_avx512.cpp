// What is computed in double precision for one instruction set: the rank statistics, and the fit of
// the calibrated test. The compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 16
#include "families/noisy_or/quartet/calibrated/fit_lanes.hpp"
#include "families/noisy_or/quartet/scan/statistics_lanes.hpp"

namespace orrery::quartet {

void statistics_avx512(const double* cells, double* statistic) { statistics(cells, statistic); }

void fit_avx512(const FitBatch& batch, FitResult& result) { fit(batch, result); }

}  // namespace orrery::quartet
