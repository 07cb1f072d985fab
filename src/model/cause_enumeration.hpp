// Purpose: exact evidence and posteriors of a group with few causes, by all their states.
// Cost: O(2^causes (causes + findings)). Only positive numbers are added: P(a on | causes so far)
// is kept, and on <- (1 - f) + f on, so that no digit is lost; ScaledReal, so that nothing
// underflows.
#pragma once

#include <cstddef>
#include <vector>

#include "model/numbers.hpp"
#include "model/row_groups.hpp"

namespace orrery::model {

class CauseEnumeration {
 public:
  [[nodiscard]] static double work(const FindingGroup& group) noexcept;
  /// Fills all of `result`.
  void run(const FindingGroup& group, GroupPosterior& result);

 private:
  void descend(std::size_t k, const ScaledReal& weight);
  void settle(ScaledReal weight);

  const FindingGroup* group_ = nullptr;
  std::vector<double> on_;  // of a finding, a row a depth
  std::vector<std::uint8_t> present_;
  ScaledReal total_;
  std::vector<ScaledReal> posterior_, absence_, inverse_;
};

}  // namespace orrery::model
