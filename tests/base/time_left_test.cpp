// Time left: what is promised, and when nothing is.
#include <gtest/gtest.h>

#include <functional>

#include "base/progress.hpp"

namespace {

using orrery::TimeLeft;

/// After so many seconds of work that goes as `share` says, looked at ten times a second.
TimeLeft after(double seconds, const std::function<double(double)>& share) {
  TimeLeft left;
  for (int i = 1; i <= static_cast<int>(10 * seconds + .5); ++i) left.note(.1 * i, share(.1 * i));
  return left;
}

TEST(TimeLeft, a_steady_rate_is_told_after_three_seconds) {
  const auto steady = [](double t) { return t / 100; };
  EXPECT_FALSE(TimeLeft().seconds());
  EXPECT_FALSE(after(2.9, steady).seconds());
  for (const double t : {3.0, 10.0, 60.0, 99.0}) {
    const auto left = after(t, steady).seconds();
    ASSERT_TRUE(left) << t;
    EXPECT_NEAR(*left, 100 - t, 1e-6 * t + 1e-9);
  }
}

TEST(TimeLeft, a_slow_beginning_promises_nothing_until_it_is_made_up_for) {
  // A tenth of a percent in 20 s, then one percent a second: by the whole rate five hours at first.
  const auto late = [](double t) { return t < 20 ? t / 20'000 : .001 + (t - 20) / 100; };
  EXPECT_TRUE(after(10, late).seconds());  // nobody can know yet
  for (const double t : {21.0, 25.0, 30.0, 40.0, 60.0}) EXPECT_FALSE(after(t, late).seconds()) << t;
  const auto left = after(110, late).seconds();
  ASSERT_TRUE(left);
  EXPECT_NEAR(*left, 10, .2);
}

TEST(TimeLeft, work_that_stands_still_promises_nothing) {
  EXPECT_FALSE(after(20, [](double) { return 0; }).seconds());
  EXPECT_FALSE(after(40, [](double t) { return t < 20 ? t / 100 : .2; }).seconds());
}

TEST(TimeLeft, what_is_done_has_nothing_left) {
  EXPECT_EQ(after(10, [](double t) { return t / 10; }).seconds(), 0);
}

}  // namespace
