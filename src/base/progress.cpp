#include "base/progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/log_file.hpp"

namespace orrery {
namespace {

constexpr double least_seconds = 3;
constexpr double steady = .25;  // part of the rate that it may be off
constexpr double spacing = 1.1;

}  // namespace

void TimeLeft::note(double seconds, double share) {
  // The last point moves on until it is far enough from the one before.
  const bool moves =
      points_.size() > 1 && points_.back().seconds < spacing * points_.end()[-2].seconds;
  if (moves) points_.pop_back();
  points_.push_back({seconds, share});
}

double TimeLeft::rate_since(double seconds) const {
  const Point& last = points_.back();
  Point first{0, 0};
  for (const Point& point : points_) {
    if (point.seconds <= seconds) first = point;
  }
  return last.seconds > first.seconds ? (last.share - first.share) / (last.seconds - first.seconds)
                                      : 0;
}

std::optional<double> TimeLeft::seconds() const {
  if (points_.empty() || points_.back().seconds < least_seconds) return std::nullopt;
  const Point& last = points_.back();
  const double whole = last.share / last.seconds;
  const double half = rate_since(last.seconds / 2);
  const double quarter = rate_since(.75 * last.seconds);
  const auto is_off = [&](double rate) { return std::abs(rate - whole) > steady * whole; };
  if (!(whole > 0) || is_off(half) || is_off(quarter)) return std::nullopt;
  return std::max(0.0, 1 - last.share) / half;
}

namespace {

constexpr std::int64_t terminal_interval_ns = 100'000'000;
constexpr std::int64_t log_interval_ns = 5'000'000'000;
constexpr std::size_t widest_bar = 24;
constexpr std::size_t narrowest_bar = 6;
constexpr std::size_t default_columns = 80;

std::string draw_bar(double fraction, std::size_t width) {
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
  return fmt::format("[{}{}]", std::string(filled, '#'), std::string(width - filled, '.'));
}

/// One line of a terminal: the bar takes what the figures leave. A line that reached the last
/// column would wrap, and could not be wiped.
std::string fit_line(const std::string& stage, std::optional<double> fraction,
                     const std::string& figures) {
  const std::size_t columns = terminal_columns() - 1;
  const std::size_t taken = stage.size() + figures.size() + 4;  // two blanks, two brackets
  const bool has_bar = fraction && taken + narrowest_bar <= columns;
  const std::string bar =
      has_bar ? draw_bar(*fraction, std::min(widest_bar, columns - taken)) + " " : "";
  return fmt::format("{} {}{}", stage, bar, figures).substr(0, columns);
}

std::int64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              start)
      .count();
}

}  // namespace

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return default_columns;
  return size.ws_col;
}

std::string describe_rate(double per_second, const std::string& unit) {
  if (per_second >= 1000)
    return format_count(static_cast<std::uint64_t>(per_second)) + " " + unit + "/s";
  return fmt::format("{:.3g} {}/s", per_second, unit);
}

std::int64_t progress_interval_ns(bool is_terminal) {
  return is_terminal ? terminal_interval_ns : log_interval_ns;
}

void print_progress(const std::string& stage, std::optional<double> fraction,
                    const std::string& figures, bool is_terminal) {
  log::add_progress_to_file(fmt::format("{}: {}", stage, figures));
  if (is_terminal) {
    log::write_progress(fit_line(stage, fraction, figures), true);
  } else {
    const std::string time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    log::write_progress(fmt::format("{} {}: {}", time, stage, figures), false);
  }
}

Progress::Progress(std::string stage, std::uint64_t total, std::string unit)
    : stage_(std::move(stage)),
      total_(total),
      unit_(std::move(unit)),
      visible_(!stage_.empty() && log::shows_progress()),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_look_ns_(terminal_interval_ns),
      next_print_ns_(progress_interval_ns(is_terminal_)) {}

Progress::~Progress() {
  if (visible_ && is_terminal_) log::wipe_progress();
  if (stage_.empty()) return;
  const std::uint64_t done = done_.load();
  const double elapsed = seconds();
  if (unit_.empty()) {
    log::verbose("{}: {}", stage_, format_duration(elapsed));
    return;
  }
  log::verbose("{}: {} {} in {} ({})", stage_, format_count(done), unit_, format_duration(elapsed),
               describe_rate(static_cast<double>(done) / std::max(elapsed, 1e-9), unit_));
}

void Progress::advance(std::uint64_t units) { print_if_due(done_.fetch_add(units) + units); }

void Progress::set(std::uint64_t done) {
  std::uint64_t before = done_.load();
  while (before < done && !done_.compare_exchange_weak(before, done)) {
  }
  print_if_due(std::max(before, done));
}

double Progress::seconds() const { return static_cast<double>(nanoseconds_since(start_)) * 1e-9; }

void Progress::print_if_due(std::uint64_t done) {
  if (!visible_) return;
  const std::int64_t now = nanoseconds_since(start_);
  if (now < next_look_ns_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(printing_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  if (now < next_look_ns_.load()) return;
  next_look_ns_ = now + terminal_interval_ns;
  const double elapsed = static_cast<double>(now) * 1e-9;
  const auto share = fraction(done);
  if (share) time_left_.note(elapsed, *share);
  if (now < next_print_ns_) return;
  next_print_ns_ = now + progress_interval_ns(is_terminal_);
  print_progress(stage_, share, describe(done, elapsed), is_terminal_);
}

std::optional<double> Progress::fraction(std::uint64_t done) const {
  if (total_ == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
}

std::string Progress::describe(std::uint64_t done, double elapsed) const {
  const double rate = static_cast<double>(done) / elapsed;
  const std::string rate_text = describe_rate(rate, unit_);
  const auto share = fraction(done);
  if (!share) return fmt::format("{} {}, {}", format_count(done), unit_, rate_text);
  const auto seconds_left = time_left_.seconds();
  const std::string left = seconds_left ? format_duration(*seconds_left) + " left, " : "";
  // What matters most first: a narrow terminal cuts the end off.
  return fmt::format("{:2.0f} % of {} {}, {}{}", std::floor(100 * *share), format_count(total_),
                     unit_, left, rate_text);
}

std::string format_duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e15) return "for ever";
  const auto total = static_cast<std::uint64_t>(std::llround(seconds));
  if (total < 3600) return fmt::format("{} min {:02} s", total / 60, total % 60);
  if (total < std::uint64_t{100} * 3600) {
    return fmt::format("{} h {:02} min", total / 3600, total / 60 % 60);
  }
  return format_count(total / 86400) + " days";
}

std::string format_bytes(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit < 6) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string format_count(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

namespace {

constexpr std::chrono::milliseconds shown_on_terminal_every{500};
constexpr std::chrono::milliseconds shown_in_log_every{5000};

}  // namespace

SearchProgress::SearchProgress(std::string stage)
    : stage_(std::move(stage)), is_terminal_(isatty(STDERR_FILENO) == 1) {
  if (log::shows_progress()) printer_ = std::thread([this] { print_until_done(); });
}

SearchProgress::~SearchProgress() {
  if (!printer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_.notify_one();
  printer_.join();
  if (is_terminal_) log::wipe_progress();
}

void SearchProgress::pass(std::size_t n_causes, std::optional<double> score) {
  const std::lock_guard lock(mutex_);
  if (n_causes != n_causes_ || (score && (!score_ || *score > *score_))) last_gain_ = Clock::now();
  n_causes_ = n_causes;
  score_ = score;
  ++n_passes_;
}

std::string SearchProgress::describe() const {
  const std::lock_guard lock(mutex_);
  const double since = std::chrono::duration<double>(Clock::now() - last_gain_).count();
  return fmt::format("{} causes, {}last gain {} ago, pass {}", n_causes_,
                     score_ ? fmt::format("score {:.1f}, ", *score_) : "", format_duration(since),
                     format_count(n_passes_));
}

void SearchProgress::print_until_done() {
  const auto interval = is_terminal_ ? shown_on_terminal_every : shown_in_log_every;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (done_.wait_for(lock, interval, [this] { return is_done_; })) return;
    }
    print_progress(stage_, std::nullopt, describe(), is_terminal_);
  }
}

GapProgress::GapProgress(std::string stage, double aim, std::string unit)
    : stage_(std::move(stage)),
      aim_(aim),
      unit_(std::move(unit)),
      visible_(log::shows_progress()),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_print_ns_(progress_interval_ns(is_terminal_)) {}

GapProgress::~GapProgress() {
  if (visible_ && is_terminal_) log::wipe_progress();
}

void GapProgress::set(std::uint64_t steps, double gap) {
  if (!visible_) return;
  const std::int64_t now = nanoseconds();
  if (now < next_print_ns_) return;
  next_print_ns_ = now + progress_interval_ns(is_terminal_);
  const double rate = static_cast<double>(steps) / (static_cast<double>(now) * 1e-9);
  print_progress(stage_, std::nullopt,
                 fmt::format("gap {:.3g} {} of {:.3g}, {} steps, {}", gap, unit_, aim_,
                             format_count(steps), describe_rate(rate, "steps")),
                 is_terminal_);
}

std::int64_t GapProgress::nanoseconds() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              start_)
      .count();
}

}  // namespace orrery
