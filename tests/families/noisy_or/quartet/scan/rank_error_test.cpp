// The standard error of the rank statistic against its spread over samples drawn anew.
#include "families/noisy_or/quartet/scan/rank_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"
#include "learning/sampled.hpp"
#include "model/network_moments.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

constexpr std::array<std::uint32_t, 4> first_four{0, 1, 2, 3};

// Two causes couple the four in different ways, so that the statistic is far from 0 and its error
// that of a smooth function; a third is subtracted off.
model::NoisyOrNetwork two_and_a_third() {
  return {{{"u", .3}, {"v", .25}, {"w", .1}},
          {{"a", .05}, {"b", .05}, {"c", .1}, {"d", .05}},
          {{0, 0, .1},
           {0, 1, .2},
           {0, 2, .15},
           {0, 3, .9},
           {1, 0, .8},
           {1, 2, .2},
           {1, 1, .95},
           {1, 3, .1},
           {2, 0, .5},
           {2, 1, .4},
           {2, 2, .3}}};
}

double statistic(const moments::MomentSource& moments, const moments::Subtraction& learned) {
  return rank_statistic(
      moments::cells_from_negative(moments::adjusted_quartet(moments, learned, first_four)));
}

TEST(RankError, is_the_spread_over_samples) {
  const model::NoisyOrNetwork network = two_and_a_third();
  moments::Subtraction learned(4);
  learned.add(.1, network.dense_failures(2));
  const model::NetworkMoments exact(network);
  ASSERT_GT(statistic(exact, learned), .005);
  EXPECT_EQ(rank_statistic_error(exact, learned, first_four), 0);
  constexpr int n_samples = 400;
  double sum = 0;
  double square = 0;
  double said = 0;
  for (int seed = 1; seed <= n_samples; ++seed) {
    const learning::Sampled sampled(network, static_cast<std::uint64_t>(seed), 20'000);
    const double found = statistic(sampled.moments, learned);
    sum += found;
    square += found * found;
    said += rank_statistic_error(sampled.moments, learned, first_four);
  }
  const double mean = sum / n_samples;
  const double spread = std::sqrt(square / n_samples - mean * mean);
  // A standard deviation of 400 values is off by 1 / sqrt(800) = .035 of it: three of these.
  EXPECT_NEAR(said / n_samples, spread, .11 * spread);
  EXPECT_NEAR(mean, statistic(exact, learned), .3 * spread);  // 6 standard errors, and some bias
}

}  // namespace
}  // namespace orrery::quartet
