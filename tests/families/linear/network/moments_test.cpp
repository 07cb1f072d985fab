#include "families/linear/network/moments.hpp"

#include <gtest/gtest.h>

#include "families/linear/network/examples.hpp"

namespace orrery::model {
namespace {

using namespace linear_examples;

// Psi_abc of independent parts z with x = F z: the sum over parts, entry by entry.
double third_moment(const ThirdMoments& moments, int a, int b, int c) {
  double sum = 0;
  for (int j = 0; j < moments.third.size(); ++j) {
    sum += moments.third(j) * moments.factors(a, j) * moments.factors(b, j) * moments.factors(c, j);
  }
  return sum;
}

TEST(LinearMoments, covariances_are_those_of_the_products) {
  // h and g have covariance {{4, 1}, {1, 9}}.
  const MatrixXd found = exact_covariance(LinearNetwork(dependent()));
  EXPECT_TRUE(found.isApprox(
      MatrixXd{{16.5, -8 + 1, 6}, {-7, 4 + 2.25 - 1, -3 + 13.5}, {6, 10.5, 81 + 1}}, 1e-15));
  EXPECT_EQ(found, found.transpose());
}

TEST(LinearMoments, third_moments_of_innovations_are_twice_their_sd_cubed) {
  const ThirdMoments moments = exact_third_moments(with_law(coupled(), CauseLaw::skewed));
  // Innovations of variance .25 and 3; h = eta_h, g = 2 eta_h + eta_g.
  EXPECT_TRUE(moments.third.isApprox(VectorXd{{.25, 6 * std::sqrt(3)}}, 1e-15));
  EXPECT_TRUE(moments.factors.isApprox(MatrixXd{{2, 0}, {0, .5}, {6, 3}}, 1e-15));
  EXPECT_EQ(exact_third_moments(with_law(coupled(), CauseLaw::gaussian)).third, VectorXd::Zero(2));
  EXPECT_EQ(exact_third_moments(with_law(coupled(), CauseLaw::heavy_tailed)).third,
            VectorXd::Zero(2));
}

TEST(LinearMoments, parts_give_the_covariance_of_the_causes) {
  // Skewed parts with variances v have third moments 2 v^1.5: what they explain of x is its
  // covariance less the noise.
  for (const LinearParts& parts : {independent(), dependent(), coupled(), levelled()}) {
    const LinearNetwork network = with_law(parts, CauseLaw::skewed);
    const ThirdMoments moments = exact_third_moments(network);
    const VectorXd variances = (moments.third.array() / 2).pow(2 / 3.).matrix();
    MatrixXd explained = moments.factors * variances.asDiagonal() * moments.factors.transpose();
    explained.diagonal() += network.noise();
    EXPECT_TRUE(explained.isApprox(exact_covariance(network), 1e-14));
  }
}

TEST(LinearMoments, noise_of_hidden_levels_is_among_the_parts) {
  const ThirdMoments moments = exact_third_moments(with_law(levelled(), CauseLaw::skewed));
  // top, then eta of u and v, then eta of h and g (of variance 0).
  ASSERT_EQ(moments.third.size(), 5);
  EXPECT_TRUE(moments.third.isApprox(
      VectorXd{{2, 2, 2 * std::pow(2, 1.5), 2 * std::pow(.5, 1.5), 0}}, 1e-15));
  // top of variance 5: u = 3, v = 1; h = u - v, g = 2 v; c = 3 g.
  EXPECT_NEAR(moments.factors(2, 0), 6 * std::sqrt(5), 1e-14);
  EXPECT_EQ(moments.factors.col(3), (VectorXd{{2, -1, 0}}));
}

TEST(LinearMoments, contraction_is_the_sum_over_the_third_index) {
  const ThirdMoments moments = exact_third_moments(with_law(dependent(), CauseLaw::skewed));
  const VectorXd theta{{.5, -1, 2}};
  const MatrixXd found = contract(moments, theta);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      double expected = 0;
      for (int c = 0; c < 3; ++c) expected += third_moment(moments, a, b, c) * theta(c);
      EXPECT_NEAR(found(a, b), expected, 1e-12 * std::abs(expected));
    }
  }
  EXPECT_EQ(found, found.transpose());
}

}  // namespace
}  // namespace orrery::model
