#include "learners/quartet/rank_test.hpp"

#include <algorithm>
#include <limits>

#include "orrery/kernels/kernels.hpp"

namespace orrery::quartet {

const RankKernel& rank_kernel() {
#if defined(__x86_64__)
  switch (kernels::active().isa) {
    case kernels::Isa::avx512:
      return avx512_rank_kernel;
    case kernels::Isa::avx2:
      return avx2_rank_kernel;
    case kernels::Isa::scalar:
      break;
  }
#endif
  return baseline_rank_kernel;
}

double rank_statistic(const moments::QuartetCells& cells) {
  std::array<double, 16 * statistic_lanes> tables{};
  std::array<double, statistic_lanes> statistic{};
  std::copy(cells.begin(), cells.end(), tables.begin());
  rank_kernel().statistics(tables.data(), statistic.data());
  return statistic[0];
}

float screen_limit(double tau) {
  // Single-precision cells are off by at most about 1e-6 in sum, which moves a singular value by no
  // more (Weyl); the minors round like entries off by as much again. 5 % and 2e-5 cover both.
  constexpr double smallest = 2e-4;
  if (tau < smallest) return std::numeric_limits<float>::infinity();
  const double bound = 1.05 * tau + 2e-5;
  return static_cast<float>(bound * bound);
}

}  // namespace orrery::quartet
