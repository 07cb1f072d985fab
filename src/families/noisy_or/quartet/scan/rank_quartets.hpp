// The rank test of rows of quartets (unfolding_rank.hpp): a screen in single precision rejects most
// of a batch, and the statistic of the others is computed a full set of lanes at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "families/noisy_or/quartet/scan/quartet_tester.hpp"

namespace orrery::quartet {

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

}  // namespace orrery::quartet
