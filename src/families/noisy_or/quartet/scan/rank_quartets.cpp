#include "families/noisy_or/quartet/scan/rank_quartets.hpp"

#include <algorithm>
#include <bit>

#include "moments/joint_table.hpp"

namespace orrery::quartet {

void RankQuartets::test(const QuartetRow& row, Found& found) {
  const RankKernel& kernel = rank_kernel();
  const auto [a, b, c] = row.abc;
  for (std::size_t w = c / 64; w < row.d.size(); ++w) {
    for (std::uint64_t left = row.d[w]; left != 0;) {
      // The next run of ones, or as much of it as the batch has room for.
      const auto start = static_cast<std::size_t>(std::countr_zero(left));
      const auto run = static_cast<std::size_t>(std::countr_one(left >> start));
      const std::size_t n = std::min(run, QuartetBatch::lanes - batch_.size);
      for (std::size_t i = 0; i < n; ++i) {
        batch_members_[batch_.size + i] = {a, b, c, static_cast<std::uint32_t>(64 * w + start + i)};
      }
      kernel.append(batch_, row.moments, 64 * w + start, n);
      found.add_pretested(n);
      left &= ~(((std::uint64_t{1} << n) - 1) << start);  // n is 16 at most
      if (batch_.size == QuartetBatch::lanes) screen_batch(found);
    }
  }
}

void RankQuartets::flush(Found& found) {
  screen_batch(found);
  test_waiting(found);
}

void RankQuartets::screen_batch(Found& found) {
  const ScreenResult screened = rank_kernel().screen(batch_, limits_);
  // Surely rejected, or surely accepted but never to be kept: no statistic is needed.
  auto lanes = ((std::uint32_t{1} << batch_.size) - 1) & ~screened.above_reject;
  const std::uint32_t only_counted = lanes & screened.above_keep & ~screened.above_accept;
  found.add_accepted(static_cast<std::uint64_t>(std::popcount(only_counted)));
  for (lanes &= ~only_counted; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    moments::QuartetMoments negative{};
    for (std::size_t set = 0; set < 16; ++set) negative[set] = batch_.negative[set][lane];
    const moments::QuartetCells cells = moments::cells_from_negative(negative);
    for (std::size_t set = 0; set < 16; ++set) {
      waiting_cells_[statistic_lanes * set + n_waiting_] = cells[set];
    }
    waiting_[n_waiting_++].members = batch_members_[lane];
    if (n_waiting_ == statistic_lanes) test_waiting(found);
  }
  batch_.size = 0;
}

void RankQuartets::test_waiting(Found& found) {
  std::array<double, statistic_lanes> statistic{};
  rank_kernel().statistics(waiting_cells_.data(), statistic.data());
  for (std::size_t i = 0; i < n_waiting_; ++i) {
    waiting_[i].statistic = statistic[i];
    if (!(statistic[i] < tau_q_)) continue;
    if (found.accept(waiting_[i])) limits_ = screen_limits(tau_q_, found.bar());
  }
  n_waiting_ = 0;
}

}  // namespace orrery::quartet
