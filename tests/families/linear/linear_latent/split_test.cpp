// SUBROUTINE, maximum likelihood and the rank test.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "families/linear/linear_latent/low_rank_split.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(low_rank_split, separates_exact_moments_by_three_blocks) {
  for (const char* spec : {"linear:bipartite:60,12,.3", "linear:ternary:3", "linear:ternary:4",
                           "linear:caterpillar:8,4"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const model::LinearNetwork network = generated(spec, seed);
      const MomentSet moments = exact_moments(network);
      const auto k = static_cast<Index>(network.n_causes());
      const auto partition = find_partition(moments, k, 32, 1);
      ASSERT_TRUE(has_clear_rank(partition)) << spec;
      const VectorXd noise = noise_by_blocks(moments.full, k, partition);
      EXPECT_LT((noise - network.noise()).cwiseAbs().maxCoeff(), 1e-8) << spec;
    }
  }
}

TEST(low_rank_split, blocks_are_a_partition) {
  const auto partition = find_partition(exact_moments(generated("linear:ternary:4", 1)), 9, 5, 1);
  ASSERT_TRUE(has_clear_rank(partition));
  std::vector<bool> seen(27, false);
  for (const auto& block : partition.blocks) {
    for (const Index i : block) {
      EXPECT_FALSE(seen[static_cast<std::size_t>(i)]);
      seen[static_cast<std::size_t>(i)] = true;
    }
  }
  EXPECT_EQ(std::ranges::count(seen, true), 27);
}

TEST(low_rank_split, finds_no_partition_where_a_cause_has_two_variables) {
  // Three blocks cannot all have a variable of the second cause.
  MatrixXd loadings = MatrixXd::Zero(8, 2);
  loadings.col(0).head(6).setConstant(.8);
  loadings.col(1).tail(2).setConstant(.8);
  MomentSet moments;
  moments.full = loadings * loadings.transpose();
  moments.full.diagonal().setConstant(1);
  EXPECT_FALSE(has_rank(find_partition(moments, 2, 200, 1)));
  EXPECT_TRUE(has_rank(find_partition(moments, 1, 200, 1)));
}

TEST(low_rank_split, one_cause_of_half_the_variables_needs_one_of_them_in_each_block) {
  // A partition that leaves a block without them has a block of zeros, but for sampling errors.
  model::LinearParts parts;
  parts.loadings = MatrixXd::Zero(6, 1);
  parts.loadings.col(0).head(3).setConstant(.7);
  parts.noise = VectorXd::Constant(6, .5);
  parts.cause_names = {"h"};
  parts.names = {"a", "b", "c", "d", "e", "f"};
  const auto partition =
      find_partition(sampled_moments(model::LinearNetwork(parts), 1, 3000), 1, 32, 1);
  ASSERT_TRUE(has_clear_rank(partition));
  for (const auto& block : partition.blocks) {
    EXPECT_EQ(std::ranges::count_if(block, [](Index i) { return i < 3; }), 1);
  }
}

TEST(uniqueness, ends_where_no_variable_can_have_less_noise) {
  // Three copies: the likelihood would rise with less noise than the least.
  const MatrixXd copies = MatrixXd::Ones(3, 3);
  const FactorSplit split = fit_noise(copies, 1, first_noise(copies, 1));
  EXPECT_TRUE(split.converged);
  EXPECT_EQ(split.n_at_bound, 3);
  EXPECT_EQ(split.noise, VectorXd::Constant(3, split.noise[0]));
  EXPECT_LT(split.noise[0], 0.01);
  EXPECT_NEAR(split.basis.col(0).norm(), std::sqrt(3), 0.01);
}

TEST(uniqueness, finds_exact_noise_from_a_rough_start) {
  for (const char* spec : {"linear:bipartite:30,5,.4", "linear:caterpillar:4,4"}) {
    const model::LinearNetwork network = generated(spec, 7);
    const MatrixXd covariance = model::exact_covariance(network);
    const auto k = static_cast<Index>(network.n_causes());
    const FactorSplit split = fit_noise(covariance, k, first_noise(covariance, k));
    EXPECT_TRUE(split.converged);
    EXPECT_LT((split.noise - network.noise()).cwiseAbs().maxCoeff(), 1e-10) << spec;
    const MatrixXd low_rank = covariance - MatrixXd(network.noise().asDiagonal());
    EXPECT_LT((split.basis * split.basis.transpose() - low_rank).cwiseAbs().maxCoeff(), 1e-10);
  }
}

/// -2 / N log likelihood of a normal distribution, but for a constant.
double deviance(const MatrixXd& covariance, const FactorSplit& split) {
  const MatrixXd model = split.basis * split.basis.transpose() + MatrixXd(split.noise.asDiagonal());
  const linalg::Cholesky cholesky(model);
  return cholesky.log_determinant() + cholesky.solve(covariance).trace();
}

TEST(uniqueness, is_where_the_likelihood_is_largest) {
  const MomentSet moments = sampled_moments(generated("linear:bipartite:12,2,.6", 3), 1, 500);
  const FactorSplit best = fit_noise(moments.full, 2, first_noise(moments.full, 2));
  ASSERT_TRUE(best.converged);
  ASSERT_EQ(best.n_at_bound, 0);
  const double least = deviance(moments.full, best);
  for (Index i = 0; i < 12; ++i) {
    for (const double factor : {.98, 1.02}) {
      VectorXd noise = best.noise;
      noise[i] *= factor;
      EXPECT_GT(deviance(moments.full, split_at(moments.full, 2, noise)), least) << i;
    }
  }
}

TEST(rank_test, chooses_the_rank_of_exact_moments) {
  EXPECT_EQ(choose_rank(exact_moments(generated("linear:bipartite:60,12,.3", 2))).k, 12);
  EXPECT_EQ(choose_rank(exact_moments(generated("linear:ternary:4", 2))).k, 9);
  MomentSet independent;
  independent.full = MatrixXd::Identity(6, 6);
  EXPECT_EQ(choose_rank(independent).k, 0);
}

TEST(rank_test, fewer_causes_are_rejected_and_the_right_number_is_not) {
  // The test rejects a true hypothesis with probability .0013 where residuals are normal; with
  // few degrees of freedom its statistic is skewed, so that some hundredths are no surprise. 20
  // samples: more than two rejections would be one.
  const model::LinearNetwork network = generated("linear:bipartite:30,4,.4", 5, .3);
  int rejections = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MomentSet moments = sampled_moments(network, seed, 5000);
    EXPECT_TRUE(is_rejected(test_rank(moments, 3), false));
    rejections += is_rejected(test_rank(moments, 4), false) ? 1 : 0;
  }
  EXPECT_LE(rejections, 2);
}

TEST(rank_test, three_variables_of_one_cause_are_always_explained) {
  const model::LinearNetwork network = generated("linear:bipartite:3,1,1", 2);
  const MomentSet moments = sampled_moments(network, 1, 1000);
  EXPECT_FALSE(is_rejected(test_rank(moments, 1), false));
  EXPECT_EQ(choose_rank(moments).k, 1);
}

TEST(rank_test, expects_what_sampling_leaves) {
  // Over samples the statistic has the mean `expected`; of 20 samples the mean is within
  // 4 error / sqrt(20), the hypothesis being true.
  const model::LinearNetwork network = generated("linear:bipartite:30,4,.4", 5, .3);
  double statistic = 0;
  double expected = 0;
  double error = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const model::RankStep step = test_rank(sampled_moments(network, seed, 5000), 4);
    statistic += step.statistic / 20;
    expected += step.expected / 20;
    error += step.error / 20;
  }
  EXPECT_NEAR(statistic, expected, 4 * error / std::sqrt(20.0));
  EXPECT_GT(error, 0);
}

}  // namespace
}  // namespace orrery::linear_latent
