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
  void leave_pair(Found& found) override { screen_batch(found); }
  void flush(Found& found) override { test_waiting(found); }

 private:
  void screen_batch(Found& found);
  void test_waiting(Found& found);

  /// Lanes of the batch that share a, b, c and follow one another in d.
  struct Run {
    std::array<std::uint32_t, 4> members;  // of the first lane
    std::size_t first_lane, last_lane;
    QuartetRows moments;
  };

  const RankKernel& kernel_ = rank_kernel();
  double tau_q_;
  ScreenLimits limits_;
  QuartetBatch batch_;
  std::array<Run, QuartetBatch::lanes> runs_{};
  std::size_t n_runs_ = 0;
  // Quartets that the screen could not decide, waiting for a full set of lanes.
  std::array<double, 16 * statistic_lanes> waiting_cells_{};
  std::array<Candidate, statistic_lanes> waiting_{};
  std::size_t n_waiting_ = 0;
};

void RankQuartets::test(const QuartetRow& row, Found& found) {
  const auto [a, b, c] = row.abc;
  for (std::size_t w = c / 64; w < row.d.size(); ++w) {
    for (std::uint64_t left = row.d[w]; left != 0;) {
      // The next run of ones, or as much of it as the batch has room for.
      const auto start = static_cast<std::size_t>(std::countr_zero(left));
      const auto run = static_cast<std::size_t>(std::countr_one(left >> start));
      const std::size_t n = std::min(run, QuartetBatch::lanes - batch_.size);
      const std::size_t d = 64 * w + start;
      runs_[n_runs_++] = {
          {a, b, c, static_cast<std::uint32_t>(d)}, batch_.size, batch_.size + n - 1, row.moments};
      kernel_.append(batch_, row.moments, d, n);
      found.add_pretested(n);
      left &= ~(~std::uint64_t{0} >> (64 - n) << start);
      if (batch_.size == QuartetBatch::lanes) screen_batch(found);
    }
  }
}

void RankQuartets::screen_batch(Found& found) {
  if (batch_.size == 0) return;
  const ScreenResult screened = kernel_.screen(batch_, limits_);
  const std::uint64_t undecided =
      ~screened.rejected & (~std::uint64_t{0} >> (QuartetBatch::lanes - batch_.size));
  const std::uint64_t only_counted = undecided & screened.only_counted;
  found.add_accepted(static_cast<std::uint64_t>(std::popcount(only_counted)));
  const Run* run = runs_.data();
  for (std::uint64_t lanes = undecided & ~only_counted; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    while (run->last_lane < lane) ++run;
    auto& members = waiting_[n_waiting_].members;
    members = run->members;
    members[3] += static_cast<std::uint32_t>(lane - run->first_lane);
    moments::QuartetMoments negative{};
    for (std::size_t set = 0; set < 8; ++set) {
      negative[set] = run->moments.without_d[set];
      negative[set + 8] = set == 7 ? batch_.all_off[lane] : run->moments.with_d[set][members[3]];
    }
    const moments::QuartetCells cells = moments::cells_from_negative(negative);
    for (std::size_t set = 0; set < 16; ++set) {
      waiting_cells_[statistic_lanes * set + n_waiting_] = cells[set];
    }
    if (++n_waiting_ == statistic_lanes) test_waiting(found);
  }
  batch_.size = 0;
  n_runs_ = 0;
}

void RankQuartets::test_waiting(Found& found) {
  std::array<double, statistic_lanes> statistic{};
  kernel_.statistics(waiting_cells_.data(), statistic.data());
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
