#include "base/search_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"

namespace orrery {
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
