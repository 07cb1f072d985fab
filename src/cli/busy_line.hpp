// A terminal never stands still while a command works: where a stage says nothing for a second, the
// line on the terminal goes on with the time since it changed.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace orrery::cli {

/// Ends at the first word on standard output, which may be the same terminal. Standard error must
/// be a terminal, or it does nothing.
class BusyLine {
 public:
  /// `what` works: "orrery learn".
  explicit BusyLine(std::string what);
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;
  ~BusyLine();

 private:
  class Output;

  void end();
  void move_until_end();

  std::string what_;
  std::unique_ptr<Output> output_;  // none where nothing is shown
  std::mutex mutex_;                // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread mover_;
};

}  // namespace orrery::cli
