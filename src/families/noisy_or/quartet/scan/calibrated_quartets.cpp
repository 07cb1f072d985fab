#include "families/noisy_or/quartet/scan/calibrated_quartets.hpp"

#include <bit>

namespace orrery::quartet {

void CalibratedQuartets::test(const QuartetRow& row, Found& found) {
  const auto [a, b, c] = row.abc;
  for (std::size_t w = c / 64; w < row.d.size(); ++w) {
    for (std::uint64_t left = row.d[w]; left != 0; left &= left - 1) {
      found.add_pretested(1);
      const std::size_t d = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      std::array<double, 16> adjusted{};
      for (std::size_t set = 0; set < 8; ++set) {
        adjusted[set] = row.moments.without_d[set];
        adjusted[set + 8] = row.moments.with_d[set][d];
      }
      waiting_[n_waiting_].members = {a, b, c, static_cast<std::uint32_t>(d)};
      calibration_.fill(fits_, n_waiting_, waiting_[n_waiting_].members, adjusted);
      if (++n_waiting_ == FitBatch::lanes) flush(found);
    }
  }
}

void CalibratedQuartets::flush(Found& found) {
  if (n_waiting_ == 0) return;
  FitResult result;
  // Lanes that stand empty repeat an earlier quartet or are the first one's.
  fit_kernel()(fits_, result);
  for (std::size_t i = 0; i < n_waiting_; ++i) {
    waiting_[i].statistic = result.chi_square[i];
    if (accepts(result, i)) found.accept(waiting_[i]);
  }
  n_waiting_ = 0;
}

}  // namespace orrery::quartet
