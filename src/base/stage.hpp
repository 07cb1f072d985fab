// What a run says of itself when it is over, stage by stage.
#pragma once

#include <cstdint>
#include <string>

namespace orrery {

/// One stage of a run, for /run and the log.
struct Stage {
  std::string name;
  double seconds = 0;
  std::uint64_t units = 0;
  /// The busiest rank's working time over the mean of all; 0: not measured.
  double imbalance = 0;

  bool operator==(const Stage&) const = default;
};

}  // namespace orrery
