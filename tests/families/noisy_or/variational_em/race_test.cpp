// The race of the restarts: who is given up, who finishes, and that little is lost by it.
#include "families/noisy_or/variational_em/race.hpp"

#include <gtest/gtest.h>

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
    restarts[i].best.prior = {0.1 * static_cast<double>(i + 1)};
    restarts[i].passes = 5 + i;
    restarts[i].done = true;
  }
  return restarts;
}

TEST(VariationalRace, who_cannot_reach_the_best_by_gains_like_the_last_is_given_up) {
  auto restarts = with_bounds({-10, -12, -12, -10.5}, {0, .0999, .1001, 0});
  for (Restart& restart : restarts) restart.done = false;
  give_up_hopeless(restarts, 20);
  EXPECT_FALSE(restarts[0].done);
  EXPECT_TRUE(restarts[1].done);
  EXPECT_FALSE(restarts[2].done);
  EXPECT_TRUE(restarts[3].done);
}

TEST(VariationalRace, before_its_second_pass_nobody_is_given_up) {
  auto restarts = with_bounds({-10, -1e6}, {std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::infinity()});
  for (Restart& restart : restarts) restart.done = false;
  give_up_hopeless(restarts, 1);
  EXPECT_FALSE(restarts[1].done);
}

TEST(VariationalRace, those_near_the_best_finish_from_where_they_are) {
  const auto raced = with_bounds({-11, -10.05, -10, -10.2}, {0, 0, 0, 0});
  const auto chosen = finalists(raced);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].next, raced[2].best);
  EXPECT_EQ(chosen[1].next, raced[1].best);
  EXPECT_EQ(chosen[0].passes, 7U);
  EXPECT_FALSE(chosen[0].done);
  EXPECT_LT(chosen[0].bound, -1e300);  // of other rows
  EXPECT_EQ(finalists(with_bounds({-1, -1, -1, -1, -1, -1}, {0, 0, 0, 0, 0, 0})).size(), 4U);
}

TEST(VariationalRace, is_on_at_least_16384_rows_and_256_a_cause) {
  EXPECT_EQ(race_step(100, 8), 1U);
  EXPECT_EQ(race_step(32'767, 8), 1U);
  EXPECT_EQ(race_step(32'768, 8), 2U);
  EXPECT_EQ(race_step(1'000'000, 8), 61U);
  EXPECT_EQ(race_step(1'000'000, 80), 48U);
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
