#include "base/time_left.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace orrery
