#include "parallel/mpi_life.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

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

namespace {

/// The parent's command, as the kernel has it.
std::string parent_name() {
  const std::string path = "/proc/" + std::to_string(::getppid()) + "/comm";
  std::array<char, 64> name{};
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    if (std::fgets(name.data(), static_cast<int>(name.size()), file) == nullptr) name[0] = 0;
    std::fclose(file);
  }
  std::string text(name.data());
  return text.substr(0, text.find('\n'));
}

}  // namespace

void end_run(int exit_code) noexcept {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

void end_cut_off(int exit_code) noexcept {
  const std::string parent = parent_name();
  for (const char* daemon : {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"}) {
    if (parent != daemon) continue;
    ::sleep(1);  // it still has to pass on what the ranks of this host said
    ::kill(::getppid(), SIGKILL);
    std::_Exit(exit_code);
  }
  // Under srun MPI_Abort ends the job with this code where it gets through; it may also hang.
  std::thread([exit_code] { MPI_Abort(MPI_COMM_WORLD, exit_code); }).detach();
  ::sleep(2);
  std::_Exit(exit_code);
}

}  // namespace orrery::parallel
