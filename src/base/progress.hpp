// Progress on stderr. A bar on a terminal, a time-stamped line every few
// seconds in a log, nothing when quiet. Of a stage: units done, rate, time left; of a search that
// nobody knows the end of: what it has so far.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace orrery {

/// When a stage will be done, said only once its rate has been steady. Stages that begin slowly (a
/// cold file, the first rare units) or have uneven units would otherwise be promised to take an
/// hour and be done in a minute.
class TimeLeft {
 public:
  /// The share of the work (0 to 1) that was done after so many seconds. Times must not fall.
  void note(double seconds, double share);
  /// Seconds left at the rate of the later half of the time so far. Nothing in the first three
  /// seconds, and nothing while the rate of the later half, or of the last quarter, is more than a
  /// quarter off that of the whole.
  [[nodiscard]] std::optional<double> seconds() const;

 private:
  struct Point {
    double seconds, share;
  };
  [[nodiscard]] double rate_since(double seconds) const;

  std::vector<Point> points_;  // each a tenth later than the one before, and the last
};

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

// What all kinds of progress share: how often it is printed, and how a line of it looks.

/// Nothing is printed before the first interval has passed: short stages stay silent.
std::int64_t progress_interval_ns(bool is_terminal);

/// On a terminal one line that fits it, with a bar if the fraction is known; in a log a line with
/// the time.
void print_progress(const std::string& stage, std::optional<double> fraction,
                    const std::string& figures, bool is_terminal);

/// Columns of the terminal behind stderr, as they are now: the window may be resized.
std::size_t terminal_columns();

/// "3.2 steps/s".
std::string describe_rate(double per_second, const std::string& unit);

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
