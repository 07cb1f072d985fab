#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "parallel/team.hpp"

namespace orrery::parallel {
namespace {

/// Every number that is still to be handed out, in order.
std::vector<std::uint64_t> remaining(const Units& units) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < units.left(); ++i) numbers.push_back(units.at(i));
  return numbers;
}

TEST(UnitsTest, returned_units_come_first_again_and_none_is_lost) {
  Units units{10, 0, {}};
  units.advance(6, {4, 1});  // 0, 2, 3, 5 are finished
  EXPECT_EQ(remaining(units), (std::vector<std::uint64_t>{1, 4, 6, 7, 8, 9}));
  units.advance(1, {});  // 1
  EXPECT_EQ(remaining(units), (std::vector<std::uint64_t>{4, 6, 7, 8, 9}));
  units.advance(4, {4, 7});  // 6 and 8
  EXPECT_EQ(remaining(units), (std::vector<std::uint64_t>{4, 7, 9}));
  EXPECT_FALSE(units.done());
  units.advance(3, {});
  EXPECT_TRUE(units.done());
}

TEST(UnitsTest, every_simulated_rank_gets_work_and_none_is_lost) {
  std::vector<double> weights(5000);
  std::iota(weights.rbegin(), weights.rend(), 1.0);
  for (const std::size_t ranks : {1, 2, 3, 7, 32, 1000, 4096}) {
    const auto loads = hand_out(weights, ranks);
    ASSERT_EQ(loads.size(), ranks);
    EXPECT_DOUBLE_EQ(std::accumulate(loads.begin(), loads.end(), 0.0), 5000.0 * 5001 / 2);
    EXPECT_GT(*std::ranges::min_element(loads), 0);
    // The first to be free gets the next: no load exceeds the mean by more than one unit.
    EXPECT_LE(*std::ranges::max_element(loads),
              5000.0 * 5001 / 2 / static_cast<double>(ranks) + 5000);
  }
}

TEST(UnitsTest, known_units_are_shared_out_evenly_the_heaviest_to_the_first_rank) {
  std::vector<std::uint64_t> weights(600);
  for (std::size_t unit = 0; unit < weights.size(); ++unit) weights[unit] = unit * unit % 601;
  weights[17] = 5000;
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  for (const std::size_t ranks : {1, 2, 3, 7, 32, 1000}) {
    const std::vector<std::size_t> rank_of = share_out(weights, ranks);
    ASSERT_EQ(rank_of.size(), weights.size());
    EXPECT_EQ(rank_of[17], 0U);
    std::vector<std::uint64_t> loads(ranks, 0);
    for (std::size_t unit = 0; unit < weights.size(); ++unit)
      loads.at(rank_of[unit]) += weights[unit];
    // Whoever has least gets the next, so that no load but that of the heaviest unit exceeds the
    // mean by more than the second heaviest.
    EXPECT_LE(*std::ranges::max_element(loads), std::max<std::uint64_t>(5000, all / ranks + 601));
  }
  EXPECT_EQ(share_out(std::vector<std::uint64_t>{4, 4, 4}, 2), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_TRUE(share_out({}, 3).empty());
}

TEST(UnitsTest, imbalance_is_the_largest_load_over_the_mean) {
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{2, 2, 2}), 1);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{3, 1}), 1.5);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{4, 0, 0, 0}), 4);
  EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{0, 0}), 0);
}

}  // namespace
}  // namespace orrery::parallel
