#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "families/noisy_or/scores/data_scores.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseNetwork;
using model::NoisyOrNetwork;

/// 0 -> 1 -> 2 with an anchor each, and a finding of 0 and 1; `leak` is that of 0's anchor.
NoisyOrNetwork three_causes(double leak) {
  return {NoisyOrNetwork({{"a", .3}, {"b", .32}, {"c", .304}},
                         {{"p", leak}, {"q", .1}, {"r", .2}, {"s", .05}},
                         {{0, 0, .2}, {1, 1, .3}, {2, 2, .4}, {0, 3, .5}, {1, 3, .6}}),
          CauseNetwork({{{}, {.3}}, {{0}, {.2, .6}}, {{1}, {.4, .1}}}),
          {{0, 0}, {1, 1}, {2, 2}}};
}

/// By its definition, over all states of the causes.
double probability(const NoisyOrNetwork& network, std::size_t row) {
  double sum = 0;
  for (std::size_t state = 0; state < 8; ++state) {
    const std::vector<std::uint8_t> causes{static_cast<std::uint8_t>(state & 1U),
                                           static_cast<std::uint8_t>(state >> 1 & 1U),
                                           static_cast<std::uint8_t>(state >> 2 & 1U)};
    double p = std::exp(network.cause_network().log_probability(causes));
    for (std::size_t j = 0; j < network.n_observed(); ++j) {
      double off = 1 - network.observed()[j].leak;
      for (std::size_t i = 0; i < 3; ++i) {
        if (causes[i] != 0) off *= network.failure(i, j);
      }
      p *= (row >> j & 1U) != 0 ? 1 - off : off;
    }
    sum += p;
  }
  return sum;
}

data::BitPanels all_rows(std::size_t n_columns) {
  data::BitPanels rows(n_columns, std::size_t{1} << n_columns);
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    for (std::size_t j = 0; j < n_columns; ++j) rows.set(r, j, (r >> j & 1U) != 0);
  }
  return rows;
}

TEST(AnchoredLikelihood, equals_the_sum_over_all_states_of_the_causes) {
  const NoisyOrNetwork network = three_causes(.1);
  double expected = 0;
  for (std::size_t r = 0; r < 16; ++r) expected += std::log(probability(network, r)) / 16;
  for (const int threads : {1, 3}) {
    const AnchoredLikelihood found = anchored_likelihood(network, all_rows(4), threads);
    EXPECT_EQ(found.n_rows, 16U);
    EXPECT_EQ(found.n_out_of_reach, 0U);
    EXPECT_EQ(found.n_impossible, 0U);
    EXPECT_NEAR(found.mean, expected, 1e-10);
  }
}

TEST(AnchoredLikelihood, impossible_rows_are_counted) {
  // Without a leak p needs cause 0: no row is impossible. Without an edge besides, p is never on.
  EXPECT_EQ(anchored_likelihood(three_causes(0), all_rows(4), 1).n_impossible, 0U);
  const NoisyOrNetwork never{NoisyOrNetwork({{"a", .3}}, {{"p", 0}, {"q", .1}}, {{0, 1, .5}}),
                             CauseNetwork::independent(std::vector{.3}),
                             {{0, 1}}};
  const AnchoredLikelihood found = anchored_likelihood(never, all_rows(2), 1);
  EXPECT_EQ(found.n_impossible, 2U);
  EXPECT_EQ(found.mean, -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace orrery::noisy_or
