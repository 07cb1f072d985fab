// ALGORITHM 1 to the letter, against a slow version of its steps and against its theorem.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "families/linear/network/expansion.hpp"
#include "families/linear/scores/scores.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Options to_the_letter() {
  Options options;
  options.sparsity = Sparsity::algorithm_1;
  options.noise = Noise::blocks;
  options.standardize = false;
  return options;
}

Loadings learned(const MomentSet& moments, Index k, const Options& options) {
  Alone alone;
  const LevelResult result = learn_level(moments, static_cast<std::uint32_t>(k), options,
                                         alone.workers(), "programs", true);
  EXPECT_TRUE(result.level) << result.failure.reason;
  return result.level ? result.level->loadings : Loadings();
}

/// Step 4 of three causes: at a vertex two entries of B w are 0. All pairs of rows are tried.
VectorXd sparsest_by_vertices(const MatrixXd& basis, Index row) {
  double least = std::numeric_limits<double>::infinity();
  VectorXd best;
  for (Index a = 0; a < basis.rows(); ++a) {
    for (Index b = a + 1; b < basis.rows(); ++b) {
      const Vector3d w = Vector3d(basis.row(a)).cross(Vector3d(basis.row(b)));
      const VectorXd s = basis * w;
      if (std::abs(s[row]) < 1e-9) continue;
      const double norm = (s / s[row]).lpNorm<1>();
      if (norm < least - 1e-12) {
        least = norm;
        best = s / s[row];
      }
    }
  }
  return best;
}

/// Steps 3 to 13 as printed, of a low-rank part that is known.
MatrixXd by_steps(const MatrixXd& basis) {
  MatrixXd tilde(basis.rows(), 0);
  for (Index i = 0; i < basis.rows() && tilde.cols() < basis.cols(); ++i) {
    if (basis.row(i).norm() < 1e-9) continue;
    MatrixXd more(basis.rows(), tilde.cols() + 1);
    more << tilde, sparsest_by_vertices(basis, i).normalized();
    if (linalg::pivoted_columns_of(more, 1e-6).rank == more.cols()) tilde = more;
  }
  const MatrixXd left_inverse = linalg::pseudo_inverse_of(tilde);
  const MatrixXd hidden = left_inverse * basis * basis.transpose() * left_inverse.transpose();
  return tilde * hidden.diagonal().cwiseSqrt().asDiagonal();
}

/// Each column of `got` is one of `want`, or its negative.
double distance(const MatrixXd& got, const MatrixXd& want) {
  double farthest = 0;
  for (Index j = 0; j < got.cols(); ++j) {
    double least = std::numeric_limits<double>::infinity();
    for (Index c = 0; c < want.cols(); ++c) {
      least = std::min({least, (got.col(j) - want.col(c)).cwiseAbs().maxCoeff(),
                        (got.col(j) + want.col(c)).cwiseAbs().maxCoeff()});
    }
    farthest = std::max(farthest, least);
  }
  return farthest;
}

TEST(algorithm_1, does_the_printed_steps_right_or_wrong) {
  int right = 0;
  int right_by_search = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const model::LinearNetwork truth = generated("linear:bipartite:18,3,.5", seed, .5);
    const MatrixXd basis = truth.loadings() * linalg::Cholesky(truth.covariance()).root();
    const MatrixXd want = by_steps(basis);
    const MatrixXd got = learned(exact_moments(truth), 3, to_the_letter()).estimates;
    ASSERT_EQ(got.cols(), 3);
    EXPECT_LT(distance(got, want), 1e-5) << seed;
    EXPECT_LT(distance(want, got), 1e-5) << seed;
    right += distance(want, truth.loadings()) < 1e-5 ? 1 : 0;
    const MatrixXd searched = learned(exact_moments(truth), 3, {}).estimates;
    right_by_search += distance(searched, truth.loadings()) < 1e-5 ? 1 : 0;
  }
  // Such loadings are too dense for the theorem; the search for sparser vectors finds more of them.
  EXPECT_LT(right, right_by_search);
}

TEST(algorithm_1, finds_the_loadings_wherever_theorem_3_2_holds) {
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const model::LinearNetwork truth = generated("linear:bipartite:40,3,.12", seed, .5);
    if (!model::check_programs(truth.loadings()).holds) continue;
    if (!model::check_rank(truth.loadings()).holds) continue;
    ++held;
    const MatrixXd got = learned(exact_moments(truth), 3, to_the_letter()).estimates;
    ASSERT_EQ(got.cols(), 3);
    EXPECT_LT(distance(got, truth.loadings()), 1e-6) << seed;
  }
  EXPECT_GE(held, 5);
}

TEST(algorithm_1, of_samples_has_the_standard_errors_of_what_it_solves) {
  // No two causes share a variable: its vertices are right, and off by some standard errors.
  const model::LinearNetwork truth = generated("linear:caterpillar:4,5", 1);
  Alone alone;
  const LevelResult result = learn_level(sampled_moments(truth, 1, 20000), 4, to_the_letter(),
                                         alone.workers(), "programs", true);
  ASSERT_TRUE(result.level) << result.failure.reason;
  const Loadings& got = result.level->loadings;
  EXPECT_EQ((got.significant.array() != 0).count(), 20);
  EXPECT_LT(distance(got.significant, truth.loadings()), 6 * got.errors.maxCoeff());
  // A vertex has k - 1 entries of 0, the others are as the program left them.
  for (Index j = 0; j < 4; ++j) {
    EXPECT_EQ((got.estimates.col(j).cwiseAbs().array() < 1e-9).count(), 3);
  }
}

}  // namespace
}  // namespace orrery::linear_latent
