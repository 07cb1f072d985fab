// append() and screen() for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 8
#include "families/noisy_or/quartet/scan/screen_lanes.hpp"

namespace orrery::quartet {

void append_avx2(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n) {
  append(batch, rows, d, n);
}

ScreenResult screen_avx2(const QuartetBatch& batch, const ScreenLimits& limits) {
  return screen(batch, limits);
}

}  // namespace orrery::quartet
