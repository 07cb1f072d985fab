#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"

#include <algorithm>
#include <limits>

namespace orrery::quartet {

const RankKernel* find_rank_kernel(kernels::Isa isa) {
  static constexpr RankKernel baseline{append_baseline, screen_baseline, statistics_baseline};
  if (kernels::find(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  static constexpr RankKernel avx2{append_avx2, screen_avx2, statistics_avx2};
  static constexpr RankKernel avx512{append_avx512, screen_avx512, statistics_avx512};
  if (isa == kernels::Isa::avx2) return &avx2;
  if (isa == kernels::Isa::avx512) return &avx512;
#endif
  return &baseline;
}

const RankKernel& rank_kernel() { return *find_rank_kernel(kernels::active().isa); }

double rank_statistic(const moments::QuartetCells& cells) {
  std::array<double, 16 * statistic_lanes> tables{};
  std::array<double, statistic_lanes> statistic{};
  for (std::size_t set = 0; set < 16; ++set) tables[statistic_lanes * set] = cells[set];
  rank_kernel().statistics(tables.data(), statistic.data());
  return statistic[0];
}

ScreenLimits screen_limits(double tau, double bar) {
  // Single precision moves the threshold at which screen() decides: by at most 1.7e-6 from 5e-5 on
  // where the second to fourth singular values differ, and by 0.15 % where they tie (a multiple
  // root of the polynomial), over 800,000 tables of all scales with each kernel; see the test. Half
  // as much again and more here.
  constexpr double smallest = 5e-5;
  constexpr double largest = .1;  // 4 t < 1 / 16 <= e1, as screen() takes for granted
  constexpr float nothing_above = std::numeric_limits<float>::infinity();
  const auto margin = [](double threshold) { return 4e-6 + .0025 * threshold; };
  const auto above = [&](double threshold) {
    const double limit = threshold + margin(threshold);
    return static_cast<float>(limit * limit);
  };
  if (!(tau >= smallest && tau <= largest)) return {nothing_above, nothing_above, 0};
  const double low = tau - margin(tau);
  return {bar < smallest ? above(smallest) : above(bar), above(tau), static_cast<float>(low * low)};
}

}  // namespace orrery::quartet
