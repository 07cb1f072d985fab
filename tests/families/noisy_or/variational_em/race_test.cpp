// The race of the restarts: who is given up, and that little is lost by it.
#include <gtest/gtest.h>

#include <limits>

#include "families/noisy_or/variational_em/fit.hpp"
#include "families/noisy_or/variational_em/networks.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::variational_em {
namespace {

std::vector<Restart> with_bounds(const std::vector<double>& bounds,
                                 const std::vector<double>& gains) {
  std::vector<Restart> restarts(bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    restarts[i].bound = bounds[i];
    restarts[i].gain = gains[i];
  }
  return restarts;
}

TEST(VariationalRace, who_cannot_reach_the_best_by_gains_like_the_last_is_given_up) {
  auto restarts = with_bounds({-10, -12, -12, -10.5}, {0, .0999, .1001, 0});
  give_up_hopeless(restarts, 20);
  EXPECT_FALSE(restarts[0].done);
  EXPECT_TRUE(restarts[1].done);
  EXPECT_FALSE(restarts[2].done);
  EXPECT_TRUE(restarts[3].done);
}

TEST(VariationalRace, before_its_second_pass_nobody_is_given_up) {
  auto restarts = with_bounds({-10, -1e6}, {std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::infinity()});
  give_up_hopeless(restarts, 1);
  EXPECT_FALSE(restarts[1].done);
}

// As the learner does it, beside every restart climbing to its end on all rows.
TEST(VariationalRace, gives_up_no_restart_that_would_have_won) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const learning::Sampled sampled(*model::generate_network("con:8", seed), seed, 600);
    const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
    const auto counts = count_rows(rows, 64, false);
    const auto starts = draw_starts(rows, seed, 16, 8, *counts);
    auto plain = restarts_from(*starts);
    while (!all_done(plain)) ASSERT_TRUE(iterate(rows, *counts, {}, plain));
    auto racing = restarts_from(*starts);
    std::uint64_t passes = 0;
    while (!all_done(racing)) {
      ASSERT_TRUE(iterate(rows, *counts, {}, racing));
      give_up_hopeless(racing, 50);
    }
    for (std::size_t i = 0; i < 16; ++i) passes += plain[i].passes - racing[i].passes;
    EXPECT_EQ(best_of(racing).bound, best_of(plain).bound) << seed;
    EXPECT_EQ(best_of(racing).best, best_of(plain).best) << seed;
    EXPECT_GT(passes, 100U) << seed;
  }
}

}  // namespace
}  // namespace orrery::variational_em
