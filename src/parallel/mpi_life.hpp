// How a run under MPI begins and ends: the watchdog of a start, return codes as errors, and the end
// of a run that cannot go on.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "orrery/base/error.hpp"

namespace orrery::parallel {

// The watchdog of a start: a rank that dies while MPI comes up leaves the others waiting, and
// nobody has yet been told what --watchdog asks for.

class StartWatch {
 public:
  /// Ends the process with exit code 4 and a message unless it is destroyed within so many seconds;
  /// 0: never. mpirun and srun then end the other ranks.
  explicit StartWatch(double seconds);
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;
  ~StartWatch();

 private:
  void wait(double seconds);

  std::mutex mutex_;  // guards is_up_
  std::condition_variable up_;
  bool is_up_ = false;
  std::thread waiting_;
};

// MPI's return codes as errors.

inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw EnvironmentError(fmt::format("{} failed: {}", call, text));
}

// The end of a run that cannot go on. Measured with Open MPI 4.1: MPI_Abort ends every rank while
// all hosts can be reached; where the network is cut it hangs, and so does mpirun, for ever,
// whatever the ranks do, until its daemons die.

/// Ends every rank of the run with this exit code; any thread.
[[noreturn]] void end_run(int exit_code) noexcept;
/// Ends this rank, and the Open MPI daemon (or mpirun itself) that started it, where other hosts
/// cannot be reached, within two seconds; every rank that notices does so. mpirun's exit code is
/// then 137, srun's `exit_code`.
[[noreturn]] void end_cut_off(int exit_code) noexcept;

}  // namespace orrery::parallel
