#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "families/noisy_or/scores/data_scores.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseNetwork;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// 0 -> 1, 0 -> 3 <- 2, 1 -> 2.
CauseNetwork four_causes() {
  return CauseNetwork({{{}, {.3}}, {{0}, {.2, .7}}, {{1}, {.5, .1}}, {{0, 2}, {.1, .6, .4, .9}}});
}

/// Every state of the causes, and its values.
template <class Use>
void for_each_state(std::size_t n, const Use& use) {
  std::vector<std::uint8_t> values(n);
  for (std::size_t state = 0; state < std::size_t{1} << n; ++state) {
    for (std::size_t i = 0; i < n; ++i) values[i] = state >> i & 1U;
    use(state, values);
  }
}

TEST(CauseLikelihood, divergence_equals_the_sum_over_all_states) {
  const CauseNetwork truth = four_causes();
  // Its causes are the true 2 0 3 1; 1 -> 0, 1 -> 3, 2 <- 3.
  const CauseNetwork learned({{{1}, {.3, .45}}, {{}, {.25}}, {{3}, {.3, .35}}, {{1}, {.1, .5}}});
  const std::vector<std::uint32_t> place{2, 0, 3, 1};
  double expected = 0;
  for_each_state(4, [&](std::size_t, const std::vector<std::uint8_t>& values) {
    std::vector<std::uint8_t> moved(4);
    for (std::size_t i = 0; i < 4; ++i) moved[i] = values[place[i]];
    const double p = truth.log_probability(values);
    expected += std::exp(p) * (p - learned.log_probability(moved));
  });
  EXPECT_NEAR(kl_divergence(truth, learned, place), expected, 1e-12);
  EXPECT_GT(expected, .01);
  EXPECT_NEAR(kl_divergence(truth, truth, {0, 1, 2, 3}), 0, 1e-14);
}

TEST(CauseLikelihood, what_happens_but_is_ruled_out_diverges) {
  const CauseNetwork truth = CauseNetwork::independent(std::vector{.5, .5});
  const CauseNetwork sure({{{}, {.5}}, {{0}, {0, .5}}});
  EXPECT_EQ(kl_divergence(truth, sure, {0, 1}), infinity);
  EXPECT_LT(kl_divergence(truth, floored(sure, .01), {0, 1}), 2);
  // What never happens costs nothing: P(1) = 0 under both.
  const CauseNetwork never({{{}, {.5}}, {{0}, {0, 0}}});
  EXPECT_NEAR(kl_divergence(never, never, {0, 1}), 0, 1e-15);
}

TEST(CauseLikelihood, a_floor_moves_what_lies_beyond_it_alone) {
  const CauseNetwork moved = floored(CauseNetwork({{{}, {0}}, {{0}, {.995, .5}}}), .01);
  EXPECT_EQ(moved.tables()[0].on, (std::vector{.01}));
  EXPECT_EQ(moved.tables()[1].on, (std::vector{.99, .5}));
}

data::SampleMatrix all_states(std::size_t n) {
  data::SampleMatrix labels;
  labels.values = data::BitPanels(n, std::size_t{1} << n);
  for_each_state(n, [&](std::size_t state, const std::vector<std::uint8_t>& values) {
    for (std::size_t i = 0; i < n; ++i) labels.values.set(state, i, values[i] != 0);
  });
  return labels;
}

TEST(CauseLikelihood, labels_have_the_probability_of_their_state) {
  const CauseNetwork network = four_causes();
  const data::SampleMatrix labels = all_states(4);
  double sum = 0;
  for_each_state(4, [&](std::size_t, const std::vector<std::uint8_t>& values) {
    sum += network.log_probability(values);
  });
  for (const int threads : {1, 3}) {
    const LabelLikelihood found = label_likelihood(network, labels, threads);
    EXPECT_EQ(found.n_rows, 16U);
    EXPECT_EQ(found.n_impossible, 0U);
    EXPECT_NEAR(found.mean, sum / 16, 1e-12);
  }
}

TEST(CauseLikelihood, missing_labels_are_summed_over) {
  const CauseNetwork network = four_causes();
  data::SampleMatrix labels;
  labels.values = data::BitPanels(4, 3);
  labels.missing = data::BitPanels(4, 3);
  labels.values.set(0, 1, true);  // ? 1 ? 0
  labels.missing->set(0, 0, true);
  labels.missing->set(0, 2, true);
  labels.values.set(1, 3, true);  // 0 0 0 1
  for (std::size_t i = 0; i < 4; ++i) labels.missing->set(2, i, true);
  double first = 0;
  for (std::uint8_t a = 0; a < 2; ++a) {
    for (std::uint8_t c = 0; c < 2; ++c) {
      first += std::exp(network.log_probability(std::vector<std::uint8_t>{a, 1, c, 0}));
    }
  }
  const double second = network.log_probability(std::vector<std::uint8_t>{0, 0, 0, 1});
  const LabelLikelihood found = label_likelihood(network, labels, 2);
  EXPECT_EQ(found.n_rows, 2U);
  EXPECT_NEAR(found.mean, (std::log(first) + second) / 2, 1e-12);
}

TEST(CauseLikelihood, impossible_rows_are_counted) {
  const CauseNetwork sure({{{}, {.5}}, {{0}, {0, .5}}});
  const LabelLikelihood found = label_likelihood(sure, all_states(2), 1);
  EXPECT_EQ(found.n_impossible, 1U);
  EXPECT_EQ(found.mean, -infinity);
  EXPECT_THROW((void)label_likelihood(sure, all_states(3), 1), InputError);
}

}  // namespace
}  // namespace orrery::noisy_or
