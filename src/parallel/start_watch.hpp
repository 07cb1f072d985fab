// The watchdog of a start: a rank that dies while MPI comes up leaves the others waiting, and
// nobody has yet been told what --watchdog asks for.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace orrery::parallel {

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

}  // namespace orrery::parallel
