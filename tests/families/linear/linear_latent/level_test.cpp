// ALGORITHM 1 on exact and sampled moments, against the network that they come from.
#include "families/linear/linear_latent/level.hpp"

#include <gtest/gtest.h>

#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/columns.hpp"
#include "families/linear/scores/scores.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::MatrixXd;

model::LearnedLinear as_network(const Level& level, const model::LinearNetwork& truth) {
  model::LinearParts parts;
  parts.names = truth.names();
  parts.loadings = level.loadings.significant;
  parts.noise = level.noise;
  parts.covariance = level.loadings.covariance;
  parts.cause_names = cause_names(1, parts.loadings.cols());
  model::LearnedLinear learned;
  learned.network = model::LinearNetwork(parts);
  learned.estimates = level.loadings.estimates;
  learned.loading_errors = level.loadings.errors;
  return learned;
}

linear::LinearScores learn_and_score(const model::LinearNetwork& truth, const MomentSet& moments,
                                     const Options& options = {}) {
  Alone alone;
  const LevelResult result =
      learn_level(moments, std::nullopt, options, alone.workers(), "programs", true);
  EXPECT_TRUE(result.level) << result.failure.reason;
  if (!result.level) return {};
  return linear::score_linear(as_network(*result.level, truth), truth);
}

TEST(level, exact_moments_give_every_loading) {
  for (const char* spec : {"linear:bipartite:60,12,.3", "linear:ternary:3", "linear:ternary:4",
                           "linear:caterpillar:8,4"}) {
    for (const std::uint64_t seed : {1, 2}) {
      const model::LinearNetwork truth = generated(spec, seed);
      const auto scores = learn_and_score(truth, exact_moments(truth));
      EXPECT_TRUE(scores.same_support()) << spec;
      EXPECT_LT(scores.largest_error, 1e-6) << spec;
      EXPECT_LT(scores.covariance_error, 1e-6) << spec;
      EXPECT_LT(scores.noise_error, 1e-8) << spec;
    }
  }
}

TEST(level, the_papers_programs_alone_will_do_where_its_theorem_holds) {
  // Each cause has variables of its own: the gaps of Theorem 3.2.
  Options options;
  options.sparsity = Sparsity::programs;
  options.noise = Noise::blocks;
  const model::LinearNetwork truth = generated("linear:caterpillar:8,4", 1);
  EXPECT_LT(learn_and_score(truth, exact_moments(truth), options).largest_error, 1e-6);
}

TEST(level, dependent_causes_are_found_from_samples) {
  // The issue is loadings of .5 to 1 with standard errors of about .01.
  for (const std::uint64_t seed : {1, 2, 3}) {
    const model::LinearNetwork truth = generated("linear:bipartite:60,8,.3", seed, .5);
    const auto scores = learn_and_score(truth, sampled_moments(truth, seed, 20000));
    EXPECT_GE(scores.f1, .99);
    EXPECT_LT(scores.loading_error, .06);
  }
}

TEST(level, standard_errors_cover_the_truth) {
  // 1.96 standard errors: 95 % of some 1,000 entries, whose errors are correlated within a sample;
  // the jackknife of 64 groups is itself off by about 9 %.
  std::size_t covered = 0;
  std::size_t total = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const model::LinearNetwork truth = generated("linear:bipartite:40,5,.3", 4, .3);
    const auto scores = learn_and_score(truth, sampled_moments(truth, seed, 10000));
    covered += scores.n_covered;
    total += scores.n_with_error;
  }
  EXPECT_EQ(total, 1000U);
  EXPECT_NEAR(static_cast<double>(covered) / static_cast<double>(total), .95, .04);
}

TEST(level, a_variable_without_causes_has_no_loading) {
  const model::LinearNetwork truth = generated("linear:bipartite:60,8,.3", 1, .5);
  model::LinearParts parts = truth.parts();
  parts.loadings.row(7).setZero();
  const model::LinearNetwork lone(parts);
  const auto scores = learn_and_score(lone, sampled_moments(lone, 1, 20000));
  EXPECT_GE(scores.f1, .99);
}

TEST(level, units_do_not_depend_on_threads) {
  const model::LinearNetwork truth = generated("linear:bipartite:40,5,.3", 4, .3);
  const MomentSet moments = sampled_moments(truth, 1, 2000);
  std::vector<MatrixXd> found;
  for (const int threads : {1, 3}) {
    Alone alone;
    const auto result = learn_level(moments, 5, {}, alone.workers(threads), "programs", true);
    ASSERT_TRUE(result.level);
    found.push_back(result.level->loadings.estimates);
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(level, a_program_without_solution_is_reported_by_its_variable) {
  const model::LinearNetwork truth = generated("linear:bipartite:20,2,.5", 1);
  ColumnSearch search;
  search.basis = truth.parts().loadings;
  search.basis.row(7).setZero();
  search.noise_level = Eigen::VectorXd::Constant(20, 1e-6);
  for (Eigen::Index i = 0; i < 20; ++i) {
    search.explained.push_back(i == 7 || search.basis.row(i).norm() > 0);
  }
  search.name = "programs";
  Alone alone;
  try {
    (void)find_columns(search, alone.workers(), cause_names(1, 20));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("7 (variable 'h8') is infeasible"), std::string::npos)
        << error.what();
  }
}

TEST(level, says_which_condition_fails) {
  MomentSet moments;
  MatrixXd loadings = MatrixXd::Zero(8, 2);
  loadings.col(0).head(6).setConstant(.8);
  loadings.col(1).tail(2).setConstant(.8);
  moments.full = loadings * loadings.transpose();
  moments.full.diagonal().setConstant(1);
  moments.names = cause_names(1, 8);
  Alone alone;
  const LevelResult result = learn_level(moments, 2, {}, alone.workers(), "programs", true);
  ASSERT_FALSE(result.level);
  EXPECT_NE(result.failure.reason.find("Condition 2"), std::string::npos);
}

}  // namespace
}  // namespace orrery::linear_latent
