// The three quartet tests as a scan asks for them: by rank, by coherence, calibrated.
#include "families/noisy_or/quartet/scan/quartet_tester.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

/// The rank test of rows of quartets (unfolding_rank.hpp): a screen in single precision rejects
/// most of a batch, and the statistic of the others is computed a full set of lanes at a time.
class RankQuartets : public QuartetTester {
 public:
  explicit RankQuartets(const Round& round)
      : tau_q_(round.options.tau_q), limits_(screen_limits(tau_q_, tau_q_)) {}

  void test(const QuartetRow& row, Found& found) override;
  void flush(Found& found) override;

 private:
  void screen_batch(Found& found);
  void test_waiting(Found& found);

  double tau_q_;
  ScreenLimits limits_;
  QuartetBatch batch_;
  std::array<std::array<std::uint32_t, 4>, QuartetBatch::lanes> batch_members_{};
  // Quartets that the screen could not reject, waiting for a full set of lanes.
  std::array<double, 16 * statistic_lanes> waiting_cells_{};
  std::array<Candidate, statistic_lanes> waiting_{};
  std::size_t n_waiting_ = 0;
};

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
  auto lanes = ((std::uint32_t{1} << batch_.size) - 1) & ~screened.rejected;
  const std::uint32_t only_counted = lanes & screened.only_counted;
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

/// The coherence test of rows of quartets (paper/cause_estimate.hpp), one quartet at a time.
class CoherentQuartets : public QuartetTester {
 public:
  explicit CoherentQuartets(const Round& round)
      : tau_q_(round.options.tau_q), tau_q2_(round.options.tau_q2) {}

  void test(const QuartetRow& row, Found& found) override;
  void flush(Found& /*found*/) override {}  // none waits

 private:
  double tau_q_;
  double tau_q2_;
};

void CoherentQuartets::test(const QuartetRow& row, Found& found) {
  const auto [a, b, c] = row.abc;
  for (std::size_t w = c / 64; w < row.d.size(); ++w) {
    for (std::uint64_t left = row.d[w]; left != 0; left &= left - 1) {
      found.add_pretested(1);
      const std::size_t d = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      moments::QuartetMoments negative{};
      for (std::size_t set = 0; set < 8; ++set) {
        negative[set] = row.moments.without_d[set];
        negative[set + 8] = row.moments.with_d[set][d];
      }
      const auto result = coherence(negative);
      if (!result || !(result->variance < tau_q_) || !(result->distance < tau_q2_)) continue;
      found.accept({result->distance, {a, b, c, static_cast<std::uint32_t>(d)}});
    }
  }
}

/// The calibrated test of rows of quartets (calibrated/quartet_fit.hpp), a full set of lanes at a
/// time.
class CalibratedQuartets : public QuartetTester {
 public:
  /// `round` has a calibration.
  explicit CalibratedQuartets(const Round& round) : calibration_(*round.calibration) {}

  void test(const QuartetRow& row, Found& found) override;
  void flush(Found& found) override;

 private:
  const Calibration& calibration_;
  FitBatch fits_;  // of the quartets that wait
  std::array<Candidate, FitBatch::lanes> waiting_{};
  std::size_t n_waiting_ = 0;
};

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

}  // namespace

std::unique_ptr<QuartetTester> quartet_tester(const Round& round) {
  switch (round.options.test) {
    case Test::calibrated:
      return std::make_unique<CalibratedQuartets>(round);
    case Test::rank:
      return std::make_unique<RankQuartets>(round);
    case Test::coherence:
      break;
  }
  return std::make_unique<CoherentQuartets>(round);
}

}  // namespace orrery::quartet
