// The noise that leaves the causes' part the least trace: against a walk over all noise of three
// variables, and on networks with more causes than three blocks of variables could tell apart.
#include "families/linear/linear_latent/least_trace.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "base/random.hpp"
#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "families/linear/scores/scores.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

MatrixXd random_covariance(std::uint64_t number) {
  RowRandom random(5, Stream::check, number);
  MatrixXd root(3, 3);
  for (double& entry : root.reshaped()) entry = 2 * random.uniform() - 1;
  return root * root.transpose() + .1 * MatrixXd::Identity(3, 3);
}

/// The largest sum of a diagonal that may be taken away: of two entries all on a grid, of the third
/// what these leave.
double most_by_walk(const MatrixXd& c, int steps) {
  double most = -1e300;
  for (int a = -steps; a < steps; ++a) {
    for (int b = -steps; b < steps; ++b) {
      Matrix2d rest = c.topLeftCorner(2, 2);
      rest(0, 0) *= 1 - static_cast<double>(a) / steps;
      rest(1, 1) *= 1 - static_cast<double>(b) / steps;
      if (rest.determinant() <= 1e-9) continue;
      const Vector2d cross = c.block<2, 1>(0, 2);
      const double third = c(2, 2) - cross.dot(rest.inverse() * cross);
      most = std::max(most, c(0, 0) - rest(0, 0) + c(1, 1) - rest(1, 1) + third);
    }
  }
  return most;
}

TEST(least_trace, is_that_of_a_walk_over_all_noise_of_three_variables) {
  for (std::uint64_t number = 0; number < 10; ++number) {
    // Of variance 1, since the sum is that of the correlations.
    MatrixXd c = random_covariance(number);
    const VectorXd inverse = c.diagonal().cwiseSqrt().cwiseInverse();
    c = inverse.asDiagonal() * c * inverse.asDiagonal();
    const VectorXd noise = noise_by_least_trace(c);
    MatrixXd left = c;
    left.diagonal() -= noise;
    EXPECT_GT(linalg::eigenvalues_of(left)[0], -1e-9);
    const double walked = most_by_walk(c, 400);
    EXPECT_GE(noise.sum(), walked - 1e-8) << number;
    EXPECT_NEAR(noise.sum(), walked, 2e-2) << number;
  }
}

TEST(least_trace, of_a_singular_covariance_is_none) {
  const VectorXd loadings{{.5, 1, -2}};
  const VectorXd noise = noise_by_least_trace(loadings * loadings.transpose());
  EXPECT_LT(noise.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(least_trace, is_the_noise_of_more_causes_than_a_third_of_the_variables) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const model::LinearNetwork truth = generated("linear:bipartite:40,16,.3", seed);
    const VectorXd noise = noise_by_least_trace(model::exact_covariance(truth));
    EXPECT_LT((noise - truth.noise()).cwiseAbs().maxCoeff(), 1e-4) << seed;
  }
}

TEST(least_trace, lets_16_causes_of_40_variables_be_learned) {
  Options options;
  options.noise = Noise::trace;
  Alone alone;
  const model::LinearNetwork truth = generated("linear:bipartite:40,16,.2", 2);
  const LevelResult result =
      learn_level(exact_moments(truth), 16, options, alone.workers(), "programs", true);
  ASSERT_TRUE(result.level) << result.failure.reason;
  EXPECT_LT((result.level->noise - truth.noise()).cwiseAbs().maxCoeff(), 1e-8);
}

}  // namespace
}  // namespace orrery::linear_latent
