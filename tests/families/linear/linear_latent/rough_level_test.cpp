// Covariances that few causes explain only roughly: a model all the same, of the strongest causes.
#include <gtest/gtest.h>

#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "families/linear/linear_latent/low_rank_split.hpp"
#include "families/linear/linear_latent/rotation.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index n = 18;

/// Three causes of six variables each, and nine weak ones of two variables each: no rank up to a
/// third of the variables explains their covariances.
model::LinearNetwork with_weak_causes() {
  model::LinearParts parts;
  parts.loadings = MatrixXd::Zero(n, 12);
  for (Index i = 0; i < n; ++i) parts.loadings(i, i / 6) = .7;
  for (Index w = 0; w < 9; ++w) {
    parts.loadings(w, 3 + w) = parts.loadings(n - 1 - w, 3 + w) = .3;
  }
  parts.noise = VectorXd::Constant(n, .42);
  parts.names = cause_names(2, n);
  parts.cause_names = cause_names(1, 12);
  return model::LinearNetwork(parts);
}

/// Column j has the six variables of one of the three causes, each of them once.
void expect_groups(const MatrixXd& loadings, double large, double small) {
  ASSERT_EQ(loadings.cols(), 3);
  std::vector<Index> of_column;
  for (Index j = 0; j < 3; ++j) {
    Index top = 0;
    loadings.col(j).cwiseAbs().maxCoeff(&top);
    of_column.push_back(top / 6);
    for (Index i = 0; i < n; ++i) {
      const double size = std::abs(loadings(i, j));
      if (i / 6 == top / 6) {
        EXPECT_GT(size, large) << i << ' ' << j;
      } else {
        EXPECT_LT(size, small) << i << ' ' << j;
      }
    }
  }
  std::ranges::sort(of_column);
  EXPECT_EQ(of_column, (std::vector<Index>{0, 1, 2}));
}

TEST(RoughLevel, has_the_strongest_causes_and_says_which_condition_fails) {
  const MomentSet moments = sampled_moments(with_weak_causes(), 1, 20000);
  ASSERT_EQ(choose_rank(moments).k, -1);
  EXPECT_EQ(causes_beyond_noise(moments), 3);
  Alone alone;
  EXPECT_FALSE(learn_level(moments, std::nullopt, {}, alone.workers(), "programs", true).level);
  const LevelResult result = learn_first_level(moments, {}, alone.workers());
  ASSERT_TRUE(result.level) << result.failure.reason;
  // Weak causes turn main loadings of .7 by a few hundredths.
  expect_groups(result.level->loadings.significant, .6, .15);
  ASSERT_FALSE(result.level->remarks.empty());
  EXPECT_NE(result.level->remarks[0].find("(Condition 1: "), std::string::npos);
  EXPECT_EQ(result.level->rank_test.size(), 4U);  // of 3, 4, 5 and 6
}

TEST(RoughLevel, is_none_of_exact_moments) {
  Alone alone;
  EXPECT_FALSE(learn_first_level(exact_moments(with_weak_causes()), {}, alone.workers()).level);
}

TEST(RoughLevel, a_level_whose_rank_holds_is_that_of_the_sparsest_columns) {
  const MomentSet moments = sampled_moments(generated("linear:caterpillar:4,4", 1), 1, 3000);
  Alone alone;
  const LevelResult plain =
      learn_level(moments, std::nullopt, {}, alone.workers(), "programs", true);
  const LevelResult first = learn_first_level(moments, {}, alone.workers());
  ASSERT_TRUE(plain.level && first.level);
  EXPECT_EQ(plain.level->loadings.estimates, first.level->loadings.estimates);
  EXPECT_EQ(plain.level->remarks, first.level->remarks);
}

TEST(Rotation, finds_simple_columns_from_any_basis_of_their_span) {
  MatrixXd simple = with_weak_causes().loadings().leftCols(3);
  MatrixXd turn(3, 3);
  turn << .6, .8, 0, -.8, .6, 0, 0, 0, 1;
  MatrixXd other(3, 3);
  other << 1, 0, 0, 0, .28, .96, 0, -.96, .28;
  const MatrixXd basis = simple * turn * other;
  MatrixXd found = basis * simplest_columns(basis, 1);
  found.colwise().normalize();
  expect_groups(found, .4, 1e-4);  // six equal entries of a unit vector
  EXPECT_EQ(simplest_columns(basis, 1), simplest_columns(basis, 1));
}

TEST(Rotation, one_column_is_as_it_is) {
  const MatrixXd basis = MatrixXd::Constant(5, 1, .5);
  EXPECT_EQ(simplest_columns(basis, 1), MatrixXd::Identity(1, 1));
}

TEST(Swaps, get_nearly_as_far_from_few_partitions_as_from_many) {
  const MomentSet moments = sampled_moments(generated("linear:bipartite:30,5,.4", 1, .95), 1, 500);
  const Partition climbed = find_partition(moments, 5, 32, 1);
  const Partition of_many = find_partition(moments, 5, 10000, 1);
  ASSERT_FALSE(has_clear_rank(of_many));
  EXPECT_GT(climbed.least, .95 * of_many.least);
  EXPECT_LE(climbed.n_tried, 10001U + 128);
  std::vector<bool> seen(30, false);
  for (const auto& block : climbed.blocks) {
    EXPECT_EQ(block.size(), 10U);
    for (const Index i : block) seen[static_cast<std::size_t>(i)] = true;
  }
  EXPECT_EQ(std::ranges::count(seen, true), 30);
}

}  // namespace
}  // namespace orrery::linear_latent
