#include "base/gap_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/progress_line.hpp"

namespace orrery {

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
