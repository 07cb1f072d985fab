#include "families/noisy_or/scores/data_scores.hpp"

#include <gtest/gtest.h>

#include "model/likelihood.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::noisy_or {
namespace {

const model::NoisyOrNetwork img = *model::generate_network("img", 1);

data::SampleMatrix rows_of_img(std::uint64_t first, std::size_t n) {
  data::SampleMatrix samples;
  samples.values = data::BitPanels(img.n_observed(), n);
  samples.values.insert(0, model::sample_rows(img, 5, first, n));
  return samples;
}

model::LearnedModel model_of(const model::NoisyOrNetwork& network) {
  model::LearnedModel model;
  model.network = network;
  return model;
}

TEST(data_scores, the_true_network_beats_the_tree_and_the_tree_independence) {
  const data::SampleMatrix train = rows_of_img(0, 1000);
  const data::SampleMatrix test = rows_of_img(1000, 1000);
  DataScoreOptions options;
  options.train = &train;
  options.n_sets = 20;
  const DataScores scores = score_data(model_of(img), test, options);
  EXPECT_EQ(scores.n_samples, 1000U);
  EXPECT_EQ(scores.n_train, 1000U);
  EXPECT_EQ(*scores.model, model::mean_log_likelihood(img, test));
  EXPECT_GT(*scores.model, *scores.chow_liu + 1);
  EXPECT_GT(*scores.chow_liu, *scores.independent + 1);
  EXPECT_EQ(scores.check.triples.size(), 20U);
  EXPECT_FALSE(scores.truth);
}

TEST(data_scores, baselines_need_training_samples) {
  const DataScores scores = score_data(model_of(img), rows_of_img(0, 100), {});
  EXPECT_TRUE(scores.model);
  EXPECT_FALSE(scores.chow_liu || scores.independent);
  EXPECT_EQ(scores.check.triples.size(), 1000U);
}

TEST(data_scores, large_components_get_a_bound_that_is_close) {
  // Twenty causes and one that never comes: the same likelihood, no longer enumerated.
  std::vector<model::Cause> causes(most_causes, {"u", .05});
  std::vector<model::Edge> edges;
  for (std::uint32_t k = 0; k < causes.size(); ++k) {
    for (std::uint32_t a = k; a < k + 9; ++a) edges.push_back({k, a, .3});
  }
  const model::NoisyOrNetwork twenty(causes, img.observed(), edges);
  causes.push_back({"never", 0});
  edges.push_back({static_cast<std::uint32_t>(most_causes), 5, .5});
  const model::NoisyOrNetwork large(causes, img.observed(), edges);
  data::SampleMatrix rows;
  rows.values = data::BitPanels(twenty.n_observed(), 100);
  rows.values.insert(0, model::sample_rows(twenty, 1, 0, 100));
  const DataScores exact = score_data(model_of(twenty), rows, {});
  const DataScores bound = score_data(model_of(large), rows, {});
  EXPECT_TRUE(exact.exact);
  EXPECT_FALSE(bound.exact);
  EXPECT_NEAR(*bound.model, *exact.model, 1e-3);
  EXPECT_LT(*bound.model, *exact.model + 1e-9);
}

TEST(data_scores, samples_that_were_learned_from_are_not_held_out) {
  data::SampleMatrix samples = rows_of_img(0, 100);
  samples.digest = 42;
  model::LearnedModel model = model_of(img);
  EXPECT_TRUE(score_data(model, samples, {}).held_out);
  model.data_digest = 43;
  EXPECT_TRUE(score_data(model, samples, {}).held_out);
  model.data_digest = 42;
  EXPECT_FALSE(score_data(model, samples, {}).held_out);
}

TEST(data_scores, refuses_training_samples_of_other_variables) {
  data::SampleMatrix train;
  train.values = data::BitPanels(3, 100);
  DataScoreOptions options;
  options.train = &train;
  EXPECT_THROW(score_data(model_of(img), rows_of_img(0, 100), options), InputError);
}

}  // namespace
}  // namespace orrery::noisy_or
