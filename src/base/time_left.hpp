// When a stage will be done, said only once its rate has been steady.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace orrery {

/// Stages that begin slowly (a cold file, the first rare units) or have uneven units would
/// otherwise be promised to take an hour and be done in a minute.
class TimeLeft {
 public:
  /// The share of the work (0 to 1) that was done after so many seconds. Times must not fall.
  void note(double seconds, double share);
  /// Seconds left at the rate of the later half of the time so far. Nothing in the first three
  /// seconds, and nothing while the rate of the later half, or of the last quarter, is more than a
  /// quarter off that of the whole.
  [[nodiscard]] std::optional<double> seconds() const;

 private:
  struct Point {
    double seconds, share;
  };
  [[nodiscard]] double rate_since(double seconds) const;

  std::vector<Point> points_;  // each a tenth later than the one before, and the last
};

}  // namespace orrery
