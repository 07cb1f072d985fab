#include <gtest/gtest.h>

#include <cmath>

#include "families/noisy_or/scores/sections.hpp"

namespace orrery::noisy_or {
namespace {

using model::LearnedModel;
using model::NoisyOrNetwork;

const double nan_value = std::nan("");

TEST(interval95, is_1_96_errors_to_either_side_within_0_and_1) {
  const auto interval = interval95(.5, {.1}, 0);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, .304, 1e-4);
  EXPECT_NEAR(interval->high, .696, 1e-4);
  EXPECT_EQ(interval95(.01, {.1}, 0)->low, 0);
  EXPECT_EQ(interval95(.99, {.1}, 0)->high, 1);
}

TEST(interval95, is_empty_where_no_error_is_known) {
  EXPECT_FALSE(interval95(.5, {nan_value}, 0));
  EXPECT_FALSE(interval95(.5, {}, 0));
}

/// Two causes of two children each; the edges in order are (0, a), (0, b), (1, b), (1, c).
LearnedModel example() {
  LearnedModel model;
  model.network = {{{"u", .2}, {"v", .3}},
                   {{"a", .01}, {"b", .02}, {"c", .03}},
                   {{0, 0, .1}, {0, 1, .5}, {1, 1, .2}, {1, 2, .4}}};
  return model;
}

TEST(weakest_edges, without_more_are_those_of_least_strength) {
  EXPECT_EQ(weakest_edges(example(), 2), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(weakest_edges(example(), 9).size(), 4U);
}

TEST(weakest_edges, with_errors_are_those_nearest_to_none) {
  LearnedModel model = example();
  model.errors.failure = {.45, .1, .1, .1};  // strength in errors: 2, 5, 8, 6
  EXPECT_EQ(weakest_edges(model, 4), (std::vector<std::size_t>{0, 1, 3, 2}));
}

TEST(weakest_edges, with_stability_are_those_seldom_learned_again) {
  LearnedModel model = example();
  model.errors.failure = {.45, .1, .1, .1};
  model.stability = {10, {1, 1}, {1, .9, .5, .9}};
  EXPECT_EQ(weakest_edges(model, 4), (std::vector<std::size_t>{2, 1, 3, 0}));
}

TEST(coverage, counts_true_values_inside_the_intervals) {
  const NoisyOrNetwork truth = example().network;
  LearnedModel
      model;  // v first, variables reversed; u's edge to b is not learned, a foreign one is
  model.network = {{{"V", .32}, {"U", .25}},
                   {{"c", .03}, {"b", .02}, {"a", .05}},
                   {{0, 0, .45}, {0, 1, .22}, {1, 2, .1}, {1, 1, .5}}};
  model.errors.prior = {.02, .02};             // .3 is inside, .2 is not
  model.errors.leak = {nan_value, .001, .01};  // b is inside, a is not, c does not count
  model.errors.failure = {.01, .02, .01, nan_value};
  const Evaluation evaluation = score_network(model, truth);
  ASSERT_EQ(evaluation.recovered, 2U);
  const Coverage result = coverage(model, truth, evaluation);
  EXPECT_EQ(result.priors.hits, 1U);
  EXPECT_EQ(result.priors.total, 2U);
  // Sorted edges: (V, c) .45 +- .02: out; (V, b) .22 +- .04: in; (U, b) .5 +- .02: in; (U, a): NaN.
  EXPECT_EQ(result.failures.hits, 2U);
  EXPECT_EQ(result.failures.total, 3U);
  EXPECT_EQ(result.leaks.hits, 1U);
  EXPECT_EQ(result.leaks.total, 2U);
}

TEST(coverage, counts_edges_of_recovered_causes_that_both_have) {
  const NoisyOrNetwork truth({{"u", .2}, {"v", .3}}, {{"a", 0}, {"b", 0}, {"c", 0}},
                             {{0, 0, .1}, {1, 1, .1}, {1, 2, .1}});
  LearnedModel model;
  model.network = {truth.causes(), truth.observed(), {{0, 0, .1}, {0, 2, .9}, {1, 1, .1}}};
  model.errors = {{.01, .01}, {.01, .01, .01}, {.01, .01, .01}};
  const Evaluation evaluation = score_network(model, truth);
  ASSERT_TRUE(evaluation.causes[0].recovered);
  ASSERT_FALSE(evaluation.causes[1].recovered);
  const Coverage result = coverage(model, truth, evaluation);
  EXPECT_EQ(result.priors.total, 1U);
  EXPECT_EQ(result.failures.total, 1U);
  EXPECT_EQ(result.leaks.total, 3U);
}

TEST(coverage, is_of_nothing_where_no_error_is_known) {
  const LearnedModel model = example();
  const Coverage result = coverage(model, model.network, score_network(model, model.network));
  EXPECT_EQ(result.priors.total + result.failures.total + result.leaks.total, 0U);
}

}  // namespace
}  // namespace orrery::noisy_or
