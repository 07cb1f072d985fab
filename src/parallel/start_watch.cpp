#include "parallel/start_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "orrery/base/error.hpp"

namespace orrery::parallel {

StartWatch::StartWatch(double seconds) {
  if (seconds > 0) waiting_ = std::thread([this, seconds] { wait(seconds); });
}

StartWatch::~StartWatch() {
  if (!waiting_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_up_ = true;
  }
  up_.notify_one();
  waiting_.join();
}

void StartWatch::wait(double seconds) {
  // A clock that counts nanoseconds ends after three centuries.
  constexpr double most_seconds = 1e9;
  const std::chrono::duration<double> patience(std::min(seconds, most_seconds));
  std::unique_lock lock(mutex_);
  if (up_.wait_for(lock, patience, [this] { return is_up_; })) return;
  log::write_error(fmt::format(
      "MPI has not come up within {}: another rank may have died, or its host cannot be reached; "
      "start again (--watchdog sets the patience)",
      format_duration(seconds)));
  std::_Exit(static_cast<int>(ExitCode::environment));
}

}  // namespace orrery::parallel
