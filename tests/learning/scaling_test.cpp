// Forecasts of other numbers of ranks: by hand, against units handed out one by one, and from what
// a run notes.
#include "learning/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "learning/stages.hpp"

namespace orrery::learning {
namespace {

TEST(ScalingTest, what_is_shared_shrinks_and_the_rest_does_not) {
  const std::vector<StageCost> costs{{.stage = "count", .alone = 1, .shared = 64},
                                     {.stage = "load", .waited = 3}};
  const auto scaled = scale(costs, 2, {1, 4, 32});
  ASSERT_EQ(scaled.size(), 3U);
  EXPECT_NEAR(scaled[0].seconds, 1 + 32 + 3, 1e-12);
  EXPECT_NEAR(scaled[0].efficiency, 1, 1e-12);
  EXPECT_NEAR(scaled[1].seconds, 1 + 8 + 3, 1e-12);
  EXPECT_NEAR(scaled[1].efficiency, 36.0 / (4 * 12), 1e-12);
  EXPECT_NEAR(scaled[2].seconds, 1 + 1 + 3, 1e-12);
  EXPECT_EQ(scaled[2].limit, "load");
  EXPECT_NEAR(scaled[2].limit_seconds, 3, 1e-12);
}

TEST(ScalingTest, messages_cost_more_on_more_ranks_and_nothing_on_one) {
  const StageCost cost{.stage = "sum", .messages = 1000, .bytes = 1e9};
  EXPECT_EQ(seconds_on(cost, 1, 4), 0);
  const double of_2 = seconds_on(cost, 2, 4);
  EXPECT_GT(of_2, 0);
  EXPECT_GT(seconds_on(cost, 1024, 4), of_2);
}

TEST(ScalingTest, what_ranks_exchange_shrinks_with_them_and_costs_nothing_on_one) {
  const StageCost cost{.stage = "exchange", .exchanged = 1e9};
  EXPECT_EQ(seconds_on(cost, 1, 4), 0);
  const double of_2 = seconds_on(cost, 2, 4);
  EXPECT_GT(of_2, 0);
  EXPECT_NEAR(seconds_on(cost, 200, 4), of_2 / 100 * (1 - 1. / 200) / (1 - 1. / 2), 1e-12);
}

// The slow and obvious way: hand the units out.
TEST(ScalingTest, units_handed_out_take_no_longer_than_forecast) {
  std::mt19937 random(7);
  std::exponential_distribution<double> weight(1);
  for (const int n_units : {1, 3, 50, 400}) {
    std::vector<double> weights(static_cast<std::size_t>(n_units));
    StageCost cost{.stage = "units"};
    for (double& w : weights) {
      w = weight(random);
      cost.shared += w;
      cost.longest = std::max(cost.longest, w);
    }
    for (const int ranks : {1, 2, 7, 64, 1000}) {
      const auto loads = parallel::hand_out(weights, static_cast<std::size_t>(ranks));
      const double taken = *std::ranges::max_element(loads);
      const double forecast = seconds_on(cost, ranks, 1);
      EXPECT_LE(taken, forecast + 1e-9) << n_units << " units, " << ranks << " ranks";
      // It is no more than that bound: the mean or the longest unit is reached by any way.
      EXPECT_LE(forecast, 2 * std::max(cost.longest, cost.shared / ranks) + 1e-9);
    }
  }
}

/// Works for some milliseconds of the processor.
void work() {
  const double begin = thread_seconds();
  while (thread_seconds() - begin < 0.01) {
  }
}

TEST(ScalingTest, stages_are_told_apart_and_their_units_from_the_rest) {
  int argc = 0;
  char** argv = nullptr;
  const parallel::Team team(&argc, &argv);
  std::vector<Stage> stages;
  {
    const StageWatch outer(stages, "outer");
    work();
    for (const char* name : {"inner_1", "inner_2"}) {
      const StageWatch inner(stages, name);
      Progress silent("", 0, "");
      team.for_each_unit(3, 1, silent, [](std::uint64_t, int) { work(); });
      std::vector<std::uint64_t> words(100);
      team.sum_words(words);
    }
  }
  const auto costs = noted_costs(1);
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0].stage, "inner");
  EXPECT_GE(costs[0].shared, 0.06);
  EXPECT_LT(costs[0].alone, 0.005);
  EXPECT_GE(costs[0].longest, 0.02);
  EXPECT_LT(costs[0].longest, 0.03);
  // Each handing out ends with a sum of its own, of three words.
  EXPECT_EQ(costs[0].messages, 4);
  EXPECT_EQ(costs[0].bytes, 2 * (800 + 24));
  EXPECT_EQ(costs[1].stage, "outer");
  EXPECT_GE(costs[1].alone, 0.01);
  EXPECT_LT(costs[1].alone, 0.015);
  EXPECT_LT(costs[1].shared, 0.001);
}

TEST(ScalingTest, a_team_of_one_rank_within_another_notes_nothing) {
  const parallel::Team alone;
  const parallel::Ledger before = parallel::ledger();
  Progress silent("", 0, "");
  alone.for_each_unit(2, 1, silent, [](std::uint64_t, int) { work(); });
  EXPECT_EQ(parallel::ledger().shared, before.shared);
  EXPECT_EQ(parallel::ledger().messages, before.messages);
}

TEST(ScalingTest, shared_time_within_shared_time_is_noted_once) {
  const parallel::Ledger before = parallel::ledger();
  {
    const parallel::SharedTime outer(2);
    const parallel::SharedTime inner(2);
    work();
  }
  parallel::Ledger noted = parallel::ledger();
  noted -= before;
  EXPECT_GE(noted.own, .01);
  EXPECT_LT(noted.own, .015);
  EXPECT_DOUBLE_EQ(noted.shared, 2 * noted.own);
}

}  // namespace
}  // namespace orrery::learning
