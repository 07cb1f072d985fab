// Rows that moments rest on, against counting them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/refine/cause_seeds.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

using learning::SampledInPart;

constexpr std::array<std::uint32_t, 4> all_four{0, 1, 2, 3};

model::NoisyOrNetwork four_columns() {
  return {{}, {{"a", .3}, {"b", .3}, {"c", .3}, {"d", .3}}, {}};
}

TEST(ObservedRows, are_all_where_nothing_is_missing) {
  const learning::Sampled sampled(four_columns(), 1, 100);
  const ObservedRows rows(sampled.moments);
  EXPECT_TRUE(rows.complete());
  EXPECT_EQ(rows.of(1, 2), 100);
  for (const double n : rows.of_subsets(all_four)) EXPECT_EQ(n, 100);
}

// Sixteen rows with all patterns of missing values: 16 / 2^|S| observe S.
TEST(ObservedRows, are_exact_where_columns_miss_values_independently) {
  int row = -1;
  const SampledInPart sampled(four_columns(), 1, 16, [&row](RowRandom&, std::size_t x) {
    if (x == 0) ++row;
    return ((static_cast<unsigned>(row) >> x) & 1U) != 0;
  });
  const ObservedRows rows(*sampled.moments);
  EXPECT_FALSE(rows.complete());
  EXPECT_NEAR(rows.of(2, 2), 8, 1e-9);
  EXPECT_NEAR(rows.of(1, 2), 4, 1e-9);
  const auto of = rows.of_subsets(all_four);
  for (std::size_t set = 0; set < 16; ++set) {
    EXPECT_NEAR(of[set], 16 / std::pow(2, std::popcount(set)), 1e-9) << set;
  }
}

// The first three are missing together, in half of the rows; the last in a quarter, whatever else.
TEST(ObservedRows, are_exact_where_columns_miss_values_together) {
  int row = -1;
  const SampledInPart sampled(four_columns(), 1, 16, [&row](RowRandom&, std::size_t x) {
    if (x == 0) ++row;
    return x < 3 ? row % 2 == 0 : row % 8 < 2;
  });
  const auto of = ObservedRows(*sampled.moments).of_subsets(all_four);
  for (std::size_t set = 1; set < 16; ++set) {
    const double first = (set & 7U) != 0 ? .5 : 1;
    const double last = (set & 8U) != 0 ? .75 : 1;
    EXPECT_NEAR(of[set], 16 * first * last, 1e-9) << set;
  }
}

TEST(ObservedRows, are_half_a_row_where_none_shows_a_pair) {
  int row = -1;
  const SampledInPart sampled(four_columns(), 1, 16, [&row](RowRandom&, std::size_t x) {
    if (x == 0) ++row;
    return x < 2 && (row + static_cast<int>(x)) % 2 == 0;
  });
  EXPECT_EQ(ObservedRows(*sampled.moments).of(0, 1), .5);
}

// Six columns that nothing couples are missing together, in half of the rows: they leak together
// twice as often as if they were missing independently.
TEST(LeakingTogether, is_not_being_observed_together) {
  std::vector<model::Observed> observed;
  for (int x = 0; x < 6; ++x) observed.push_back({fmt::format("x{}", x), .3});
  const model::NoisyOrNetwork network({}, observed, {});
  const SampledInPart sampled(network, 3, 4000,
                              [gone = false](RowRandom& random, std::size_t x) mutable {
                                if (x == 0) gone = random.bernoulli(.5);
                                return gone;
                              });
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, &sampled.missing);
  EXPECT_TRUE(leaking_together(rows, *sampled.moments, network).empty());
}

}  // namespace
}  // namespace orrery::quartet
