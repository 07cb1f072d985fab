// Processor time: what a measurement is worth on a machine that others use too.
#pragma once

#include <ctime>

namespace orrery {

/// Seconds that the calling thread has spent on a processor.
inline double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace orrery
