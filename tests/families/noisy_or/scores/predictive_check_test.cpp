#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "families/noisy_or/scores/data_scores.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;

data::SampleMatrix sampled(const NoisyOrNetwork& network, std::size_t n_rows) {
  data::SampleMatrix samples;
  samples.values = data::BitPanels(network.n_observed(), n_rows);
  samples.values.insert(0, model::sample_rows(network, 7, 0, n_rows));
  return samples;
}

/// Leaks .5, no cause: every pair is off in a quarter of the rows, every triple in an eighth.
NoisyOrNetwork coins(std::size_t m) { return {{}, std::vector<model::Observed>(m, {"x", .5}), {}}; }

TEST(predictive_check, counts_rows_in_which_all_are_off) {
  data::SampleMatrix samples;  // 70 rows of three variables: off, off, off but for rows 0, 1 and 69
  samples.values = data::BitPanels(3, 70);
  samples.values.set(0, 0, true);
  samples.values.set(1, 2, true);
  samples.values.set(69, 2, true);
  const PredictiveCheck check = check_predictions(coins(3), samples, 10, 1);
  ASSERT_EQ(check.triples.size(), 1U);
  EXPECT_EQ(check.triples[0].observed, 67U);
  EXPECT_EQ(check.triples[0].n_rows, 70U);
  EXPECT_DOUBLE_EQ(check.triples[0].expected, 70. / 8);
  EXPECT_EQ(check.pairs.size(), 3U);
  for (const PatternCheck& pair : check.pairs) {
    const bool has[] = {pair.variables[0] == 0, pair.variables[1] == 2};
    EXPECT_EQ(pair.observed, 70U - (has[0] ? 1 : 0) - (has[1] ? 2 : 0));
  }
}

TEST(predictive_check, leaves_out_rows_in_which_one_is_missing) {
  data::SampleMatrix samples;
  samples.values = data::BitPanels(3, 100);
  samples.missing.emplace(3, 100);
  for (std::size_t row = 0; row < 10; ++row) samples.missing->set(row, 1, true);
  for (std::size_t row = 95; row < 100; ++row) samples.missing->set(row, 2, true);
  const PredictiveCheck check = check_predictions(coins(3), samples, 10, 1);
  EXPECT_EQ(check.triples[0].n_rows, 85U);
  EXPECT_EQ(check.triples[0].observed, 85U);
  EXPECT_DOUBLE_EQ(check.triples[0].expected, 85. / 8);
}

TEST(predictive_check, z_is_that_of_the_binomial_where_counts_are_large) {
  const std::size_t n = 10'000;
  data::SampleMatrix samples;
  samples.values = data::BitPanels(2, n);
  for (std::size_t row = 2600; row < n; ++row) samples.values.set(row, 0, true);
  const PredictiveCheck check = check_predictions(coins(2), samples, 10, 1);
  ASSERT_EQ(check.pairs.size(), 1U);
  EXPECT_TRUE(check.triples.empty());
  // 2,600 where 2,500 are expected, standard deviation sqrt(10,000 / 4 * 3 / 4).
  EXPECT_NEAR(check.pairs[0].z, 100 / std::sqrt(1875.), .03);
}

// 3 of 1,000 rows are expected: over the binomial distribution the mean square of z is 1.
TEST(predictive_check, z_has_variance_1_where_counts_are_small) {
  constexpr std::size_t n = 1000;
  const NoisyOrNetwork network({}, {{"x", .9}, {"y", .97}}, {});
  const double p = .1 * .03;
  double square = 0;
  for (std::size_t off = 0; off < 30; ++off) {
    data::SampleMatrix samples;
    samples.values = data::BitPanels(2, n);
    for (std::size_t row = off; row < n; ++row) samples.values.set(row, 0, true);
    const double z = check_predictions(network, samples, 10, 1).pairs[0].z;
    const auto k = static_cast<double>(off);
    const double log_weight = std::lgamma(n + 1.) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                              k * std::log(p) + (n - k) * std::log1p(-p);
    square += std::exp(log_weight) * z * z;
  }
  EXPECT_NEAR(square, 1, .05);
}

TEST(predictive_check, impossible_patterns_have_a_finite_z) {
  data::SampleMatrix samples;
  samples.values = data::BitPanels(2, 100);  // all off
  const NoisyOrNetwork always({}, {{"x", 1}, {"y", .5}}, {});
  const PatternCheck pair = check_predictions(always, samples, 10, 1).pairs[0];
  EXPECT_EQ(pair.expected, 0);
  EXPECT_TRUE(std::isfinite(pair.z));
  EXPECT_GT(pair.z, surprising_z);
}

TEST(predictive_check, true_network_is_seldom_surprised) {
  const NoisyOrNetwork img = *model::generate_network("img", 1);
  const PredictiveCheck check = check_predictions(img, sampled(img, 10'000), 1000, 1);
  ASSERT_EQ(check.triples.size(), 1000U);
  ASSERT_EQ(check.pairs.size(), 1000U);
  // 0.27 % of normal scores; sets share variables, so that the share varies more than a binomial.
  EXPECT_LT(share_surprising(check.pairs), .02);
  EXPECT_LT(share_surprising(check.triples), .02);
}

TEST(predictive_check, missing_cause_is_noticed_and_its_children_named) {
  const NoisyOrNetwork img = *model::generate_network("img", 1);
  std::vector<model::Cause> causes = img.causes();
  causes[3].prior = 0;
  const NoisyOrNetwork without(causes, img.observed(), img.edges());
  const PredictiveCheck check = check_predictions(without, sampled(img, 10'000), 1000, 1);
  EXPECT_GT(share_surprising(check.triples), .2);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(std::ranges::any_of(check.triples[i].variables,
                                    [&](std::uint32_t a) { return img.failure(3, a) < 1; }));
    EXPECT_LT(check.triples[i].z, -surprising_z);  // more is on than the model has
  }
}

TEST(predictive_check, sets_are_distinct_and_worst_first) {
  const NoisyOrNetwork network = coins(20);
  const PredictiveCheck check = check_predictions(network, sampled(network, 500), 1000, 3);
  EXPECT_EQ(check.pairs.size(), 190U);     // all there are
  ASSERT_EQ(check.triples.size(), 1000U);  // of 1,140
  std::set<std::vector<std::uint32_t>> seen;
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto& set = check.triples[i].variables;
    EXPECT_TRUE(set[0] < set[1] && set[1] < set[2] && set[2] < 20);
    EXPECT_TRUE(seen.insert(set).second);
    if (i == 0) continue;
    EXPECT_LE(std::abs(check.triples[i].z), std::abs(check.triples[i - 1].z));
  }
}

TEST(predictive_check, choice_is_a_function_of_the_seed) {
  const NoisyOrNetwork network = coins(40);
  const data::SampleMatrix samples = sampled(network, 200);
  const auto first = [&](std::uint64_t seed) {
    return check_predictions(network, samples, 50, seed).triples[0].variables;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

TEST(predictive_check, takes_what_is_too_small_for_a_set) {
  const PredictiveCheck none = check_predictions(coins(1), sampled(coins(1), 5), 10, 1);
  EXPECT_TRUE(none.pairs.empty() && none.triples.empty());
  EXPECT_EQ(share_surprising(none.pairs), 0);
  EXPECT_TRUE(check_predictions(coins(5), sampled(coins(5), 5), 0, 1).pairs.empty());
}

TEST(predictive_check, refuses_data_of_other_variables) {
  EXPECT_THROW(check_predictions(coins(3), sampled(coins(4), 5), 10, 1), InputError);
}

}  // namespace
}  // namespace orrery::noisy_or
