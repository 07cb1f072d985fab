// The calibrated test of rows of quartets (calibrated/quartet_fit.hpp), a full set of lanes at a
// time.
#pragma once

#include <array>
#include <cstddef>

#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"
#include "families/noisy_or/quartet/scan/quartet_tester.hpp"

namespace orrery::quartet {

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

}  // namespace orrery::quartet
