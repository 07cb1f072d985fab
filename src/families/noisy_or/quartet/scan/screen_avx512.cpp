// append() and screen() for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_FLOAT_LANES 16
#include "families/noisy_or/quartet/scan/screen_lanes.hpp"

namespace orrery::quartet {

void append_avx512(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n) {
  append(batch, rows, d, n);
}

ScreenResult screen_avx512(const QuartetBatch& batch, const ScreenLimits& limits) {
  return screen(batch, limits);
}

}  // namespace orrery::quartet
