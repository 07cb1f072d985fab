// Progress of a search that nobody knows the number of steps of, but that knows how far it is at
// most from the best there is: steps, rate, gap. Shown as Progress is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace orrery {

class GapProgress {
 public:
  /// Ends when the gap is `aim`; `unit` of both: "nats".
  GapProgress(std::string stage, double aim, std::string unit);
  GapProgress(const GapProgress&) = delete;
  GapProgress& operator=(const GapProgress&) = delete;
  ~GapProgress();

  /// Prints if it is time. One thread.
  void set(std::uint64_t steps, double gap);

 private:
  [[nodiscard]] std::int64_t nanoseconds() const;

  std::string stage_;
  double aim_;
  std::string unit_;
  bool visible_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t next_print_ns_;
};

}  // namespace orrery
