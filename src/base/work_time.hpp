// How long work takes: the processor time of a thread, which is what a measurement is worth on a
// machine that others use too, and the stages of a run.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace orrery {

/// Seconds that the calling thread has spent on a processor.
inline double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// One stage of a run, as the run says of itself when it is over: for /run and the log.
struct Stage {
  std::string name;
  double seconds = 0;
  std::uint64_t units = 0;
  /// The busiest rank's working time over the mean of all; 0: not measured.
  double imbalance = 0;

  bool operator==(const Stage&) const = default;
};

}  // namespace orrery
