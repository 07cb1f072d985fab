// Exact moments of linear networks, and sampled rows, which must have them.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "families/linear/network/examples.hpp"
#include "families/linear/network/moments.hpp"
#include "orrery/model/linear_sampling.hpp"

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

TEST(LinearMoments, fourth_cumulants_of_innovations_are_those_of_their_laws) {
  for (const CauseLaw law : {CauseLaw::skewed, CauseLaw::heavy_tailed}) {
    const FourthCumulants cumulants = exact_fourth_cumulants(with_law(coupled(), law));
    // Six times the squared variances .25 and 3.
    EXPECT_TRUE(cumulants.fourth.isApprox(VectorXd{{.375, 54}}, 1e-15));
    EXPECT_TRUE(cumulants.factors.isApprox(MatrixXd{{2, 0}, {0, .5}, {6, 3}}, 1e-15));
  }
  EXPECT_EQ(exact_fourth_cumulants(with_law(coupled(), CauseLaw::gaussian)).fourth,
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

using namespace linear_examples;
using SampledRows =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr std::size_t n_linear_rows = 400'000;
constexpr CauseLaw laws[] = {CauseLaw::gaussian, CauseLaw::skewed, CauseLaw::heavy_tailed};

/// Less the true means.
MatrixXd centred(const LinearNetwork& network, std::uint64_t seed) {
  const data::DenseBlock block = sample_linear_rows(network, seed, 0, n_linear_rows);
  const SampledRows rows(block.values.data(), static_cast<Eigen::Index>(block.n_rows),
                         static_cast<Eigen::Index>(block.n_columns));
  return rows.rowwise() - network.means().transpose();
}

TEST(LinearSampling, means_and_covariances_are_those_of_the_network) {
  for (const LinearParts& parts : {independent(), dependent(), coupled(), levelled()}) {
    for (const CauseLaw law : laws) {
      const LinearNetwork network = with_law(parts, law);
      const MatrixXd x = centred(network, 3);
      const MatrixXd found = x.transpose() * x / double{n_linear_rows};
      const MatrixXd expected = exact_covariance(network);
      const VectorXd sd = expected.diagonal().cwiseSqrt();
      for (int i = 0; i < 3; ++i) {
        // 5 standard errors; no variable has a kurtosis above the 9 of its skewed and heavy-tailed
        // parts, so that the variance of a product of two is at most 9 of their variances.
        EXPECT_NEAR(x.col(i).mean(), 0, 5 * sd(i) / std::sqrt(double{n_linear_rows}));
        for (int j = 0; j < 3; ++j) {
          EXPECT_NEAR(found(i, j), expected(i, j),
                      5 * 3 * sd(i) * sd(j) / std::sqrt(double{n_linear_rows}));
        }
      }
    }
  }
}

TEST(LinearSampling, third_moments_are_those_of_the_network) {
  // The variance of x_i x_j y, y = theta . x, is at most the cube root of the product of their
  // sixth moments: 15 of a normal, 265 of an exponential, in units of the variance cubed.
  for (const LinearParts& parts : {dependent(), coupled(), levelled()}) {
    for (const auto& [law, sixth] :
         {std::pair{CauseLaw::gaussian, 15.}, {CauseLaw::skewed, 265.}}) {
      const LinearNetwork network = with_law(parts, law);
      const MatrixXd x = centred(network, 4);
      const MatrixXd covariance = exact_covariance(network);
      const VectorXd sd = covariance.diagonal().cwiseSqrt();
      const VectorXd theta = VectorXd{{.5, -1, .25}}.cwiseQuotient(sd);
      const VectorXd y = x * theta;
      const double sd_y = std::sqrt(theta.dot(covariance * theta));
      const MatrixXd found = x.transpose() * y.asDiagonal() * x / double{n_linear_rows};
      const ThirdMoments moments = exact_third_moments(network);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          double expected = 0;
          for (int c = 0; c < 3; ++c) expected += third_moment(moments, i, j, c) * theta(c);
          EXPECT_NEAR(found(i, j), expected,
                      5 * std::sqrt(sixth / double{n_linear_rows}) * sd(i) * sd(j) * sd_y);
        }
      }
    }
  }
}

TEST(LinearSampling, causes_follow_the_law_and_noise_is_normal) {
  // Shares beyond quantiles from tables: the normal's 2.5758 (1 % beyond on both sides), t_5's
  // 4.0321 (the same) times sqrt(3/5), the exponential's 1 + 1 (e^-2) less its mean; 5 standard
  // errors of the share.
  const auto share = [](const LinearParts& parts, CauseLaw law, double low, double high) {
    const MatrixXd x = centred(with_law(parts, law), 6);
    return static_cast<double>((x.col(0).array() < low || x.col(0).array() > high).count()) /
           double{n_linear_rows};
  };
  LinearParts cause;
  cause.names = {"x"};
  cause.cause_names = {"h"};
  cause.loadings = MatrixXd{{1.0}};
  cause.noise = VectorXd{{0.0}};
  LinearParts noise = cause;
  std::swap(noise.loadings(0, 0), noise.noise(0));
  const double error = 5 * std::sqrt(.01 * .99 / n_linear_rows);
  EXPECT_NEAR(share(cause, CauseLaw::gaussian, -2.5758, 2.5758), .01, error);
  EXPECT_NEAR(share(cause, CauseLaw::heavy_tailed, -4.0321 * std::sqrt(.6), 4.0321 * std::sqrt(.6)),
              .01, error);
  EXPECT_NEAR(share(cause, CauseLaw::skewed, -1, 1), std::exp(-2),
              5 * std::sqrt(std::exp(-2) / n_linear_rows));
  for (const CauseLaw law : laws) EXPECT_NEAR(share(noise, law, -2.5758, 2.5758), .01, error);
}

TEST(LinearSampling, a_row_depends_on_the_seed_and_its_number_alone) {
  const LinearNetwork network = with_law(levelled(), CauseLaw::heavy_tailed);
  const data::DenseBlock all = sample_linear_rows(network, 9, 0, 300);
  const data::DenseBlock part = sample_linear_rows(network, 9, 100, 77);
  EXPECT_TRUE(std::equal(part.values.begin(), part.values.end(), all.row(100).begin()));
  EXPECT_NE(all.values, sample_linear_rows(network, 10, 0, 300).values);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  EXPECT_EQ(all.values, sample_linear_rows(network, 9, 0, 300).values);
  omp_set_num_threads(threads);
}

TEST(LinearSampling, networks_without_causes_or_rows_are_drawn) {
  LinearParts parts;
  parts.names = {"a", "b"};
  parts.noise = VectorXd{{1, 0}};
  parts.means = VectorXd{{0, 7}};
  const data::DenseBlock block = sample_linear_rows(LinearNetwork(parts), 1, 0, 2);
  EXPECT_NE(block.row(0)[0], block.row(1)[0]);
  EXPECT_EQ(block.row(1)[1], 7);
  EXPECT_TRUE(sample_linear_rows(LinearNetwork(parts), 1, 0, 0).values.empty());
}

}  // namespace
}  // namespace orrery::model
