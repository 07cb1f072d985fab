#include "orrery/base/progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "orrery/base/log.hpp"

namespace orrery {
namespace {

constexpr std::int64_t terminal_interval_ns = 100'000'000;
constexpr std::int64_t log_interval_ns = 5'000'000'000;
constexpr std::size_t bar_width = 24;

std::int64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              start)
      .count();
}

std::string describe_rate(double per_second, const std::string& unit) {
  if (per_second >= 1000)
    return format_count(static_cast<std::uint64_t>(per_second)) + " " + unit + "/s";
  return fmt::format("{:.3g} {}/s", per_second, unit);
}

}  // namespace

Progress::Progress(std::string stage, std::uint64_t total, std::string unit)
    : stage_(std::move(stage)),
      total_(total),
      unit_(std::move(unit)),
      visible_(log::shows_progress()),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      // Short stages stay silent: nothing is printed before the first interval has passed.
      next_print_ns_(is_terminal_ ? terminal_interval_ns : log_interval_ns) {}

Progress::~Progress() {
  if (!visible_) return;
  if (is_terminal_) log::wipe_progress();
  const std::uint64_t done = done_.load();
  const double elapsed = seconds();
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
  if (now < next_print_ns_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(printing_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  if (now < next_print_ns_.load()) return;
  next_print_ns_ = now + (is_terminal_ ? terminal_interval_ns : log_interval_ns);

  const double elapsed = static_cast<double>(now) * 1e-9;
  const double rate = static_cast<double>(done) / elapsed;
  std::string text;
  if (total_ > 0) {
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(bar_width));
    const double left = rate > 0 ? static_cast<double>(total_ - std::min(done, total_)) / rate : 0;
    text = fmt::format("{} [{}{}] {:3.0f} %  {} of {} {}  {}  {} left", stage_,
                       std::string(filled, '#'), std::string(bar_width - filled, '.'),
                       std::floor(100 * fraction), format_count(done), format_count(total_), unit_,
                       describe_rate(rate, unit_), format_duration(left));
  } else {
    text =
        fmt::format("{}  {} {}  {}", stage_, format_count(done), unit_, describe_rate(rate, unit_));
  }
  if (!is_terminal_) {
    text = fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}", fmt::gmtime(std::time(nullptr)), text);
  }
  log::write_progress(text, is_terminal_);
}

std::string format_duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto total = static_cast<std::uint64_t>(std::llround(seconds));
  if (total < 3600) return fmt::format("{} min {:02} s", total / 60, total % 60);
  return fmt::format("{} h {:02} min", total / 3600, total / 60 % 60);
}

std::string format_bytes(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit < 4) {
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

}  // namespace orrery
