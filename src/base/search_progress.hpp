// Progress of a search that nobody knows the end of.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace orrery {

/// What the search has so far, and since when. The line moves by itself, also inside a step that
/// takes minutes.
class SearchProgress {
 public:
  /// Shown as Progress is: twice a second on a terminal, every five seconds in a log; searches of
  /// less than that stay silent.
  explicit SearchProgress(std::string stage);
  SearchProgress(const SearchProgress&) = delete;
  SearchProgress& operator=(const SearchProgress&) = delete;
  ~SearchProgress();

  /// One more pass over the rows begins; the best network so far has so many causes and this score
  /// (nats; none: not known), the higher the better. Thread-safe.
  void pass(std::size_t n_causes, std::optional<double> score);
  /// "7 causes, score -5123.4, last gain 12.0 s ago, pass 31"
  [[nodiscard]] std::string describe() const;

 private:
  using Clock = std::chrono::steady_clock;
  void print_until_done();

  std::string stage_;
  bool is_terminal_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable done_;
  bool is_done_ = false;
  std::size_t n_causes_ = 0;
  std::optional<double> score_;
  std::uint64_t n_passes_ = 0;
  Clock::time_point last_gain_ = Clock::now();
  std::thread printer_;  // none where nothing is shown
};

/// Of a search that nobody knows the number of steps of, but that knows how far it is at most from
/// the best there is: steps, rate, gap. Shown as Progress is.
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
