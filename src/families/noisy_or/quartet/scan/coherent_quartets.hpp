// The coherence test of rows of quartets (paper/mixture.hpp), one quartet at a time.
#pragma once

#include "families/noisy_or/quartet/scan/quartet_tester.hpp"

namespace orrery::quartet {

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

}  // namespace orrery::quartet
