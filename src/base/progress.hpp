// Progress of one stage on stderr: a bar on a terminal, a time-stamped line every few seconds in a
// log, nothing when quiet. Units done, rate, time left.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/time_left.hpp"

namespace orrery {

class Progress {
 public:
  /// `total` units of the named kind ("quartet blocks", "MB"); total 0 means unknown. Without
  /// a unit it is a stop watch; without a stage it is silent.
  Progress(std::string stage, std::uint64_t total, std::string unit);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Thread-safe and cheap: prints at most ten times a second (terminal) or every five (log).
  void advance(std::uint64_t units = 1);
  /// Raises the number of units done, e.g. to a shared count over all ranks.
  void set(std::uint64_t done);
  [[nodiscard]] double seconds() const;

 private:
  void print_if_due(std::uint64_t done);
  /// Nothing if the total is unknown.
  [[nodiscard]] std::optional<double> fraction(std::uint64_t done) const;
  /// Share done, total, rate and, once it can be known, time left, in words.
  [[nodiscard]] std::string describe(std::uint64_t done, double elapsed) const;

  std::string stage_;
  std::uint64_t total_;
  std::string unit_;
  bool visible_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::int64_t> next_look_ns_;
  std::int64_t next_print_ns_;  // under `printing_`, as is what follows
  TimeLeft time_left_;
  std::mutex printing_;
};

/// "1.2 s", "3 min 05 s", "2 h 10 min", "12 days".
std::string format_duration(double seconds);
/// "12.3 MB" (powers of 1000).
std::string format_bytes(double bytes);
/// "1,234,567".
std::string format_count(std::uint64_t count);

}  // namespace orrery
