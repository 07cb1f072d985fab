// statistics() for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 16
#include "families/noisy_or/quartet/scan/statistics_lanes.hpp"

namespace orrery::quartet {

void statistics_avx512(const double* cells, double* statistic) { statistics(cells, statistic); }

}  // namespace orrery::quartet
