// Levels above, and causes that drive one another.
#include "families/linear/linear_latent/depth_one.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Tensor exact_tensor(const model::LinearNetwork& network, double noise_third) {
  const model::ThirdMoments exact = model::exact_third_moments(network);
  const MatrixXd inverse = linalg::pseudo_inverse_of(network.loadings());
  const MatrixXd v = inverse * exact.factors;
  Tensor raw;
  MatrixXd squares = exact.factors.cwiseAbs2() * exact.third.asDiagonal() * v.transpose();
  for (Index c = 0; c < v.rows(); ++c) {
    const VectorXd weights = exact.third.cwiseProduct(v.row(c).transpose());
    const VectorXd noise = noise_third * inverse.row(c).transpose();
    raw.emplace_back(v * weights.asDiagonal() * v.transpose() +
                     inverse * noise.asDiagonal() * inverse.transpose());
    squares.col(c) += noise;
  }
  return without_noise(raw, squares, network.loadings());
}

model::LinearNetwork skewed_caterpillar(std::uint64_t seed) {
  model::LinearParameters parameters;
  parameters.law = model::CauseLaw::skewed;
  return *model::generate_linear("linear:caterpillar:8,4", seed, parameters);
}

TEST(depth_one, finds_the_coupling_of_exact_moments_with_skewed_noise_too) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const model::LinearNetwork network = skewed_caterpillar(seed);
    for (const double noise_third : {0.0, .7}) {
      const Coupling coupling = find_coupling(true_loadings(network),
                                              {exact_tensor(network, noise_third), {}, 0}, .01, 1);
      EXPECT_LT((coupling.lambda - network.coupling()).cwiseAbs().maxCoeff(), 1e-6);
      EXPECT_TRUE(without_cumulant(coupling).empty());
      for (Index i = 0; i < 8; ++i) EXPECT_NEAR(std::abs(coupling.cumulants[i]), 2, 1e-6);
    }
  }
}

TEST(depth_one, symmetric_innovations_have_no_skewness) {
  const model::LinearNetwork network = generated("linear:caterpillar:8,4", 1);
  const Coupling coupling =
      find_coupling(true_loadings(network), {exact_tensor(network, 0), {}, 0}, .01, 1);
  EXPECT_EQ(without_cumulant(coupling).size(), 8U);
}

TEST(depth_one, a_joint_diagonal_is_found_from_any_start) {
  // Slices Q diag(d_c) Q^T of one rotation.
  const MatrixXd q = linalg::orthonormal_basis_of(MatrixXd::Random(5, 5));
  Tensor slices;
  for (int c = 0; c < 3; ++c) {
    const VectorXd d = VectorXd::LinSpaced(5, 1, c + 2).array().pow(c + 1);
    slices.emplace_back(q * d.asDiagonal() * q.transpose());
  }
  const MatrixXd v = jointly_diagonal(slices, MatrixXd::Identity(5, 5));
  EXPECT_LT((v.transpose() * v - MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-12);
  for (const MatrixXd& slice : slices) {
    MatrixXd turned = v.transpose() * slice * v;
    turned.diagonal().setZero();
    EXPECT_LT(turned.cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(depth_one, a_transformed_tensor_is_that_of_transformed_vectors) {
  const VectorXd f = VectorXd::LinSpaced(3, -1, 2);
  const MatrixXd m = MatrixXd::Random(3, 3);
  const auto cube = [](const VectorXd& v) {
    Tensor tensor;
    for (Index c = 0; c < 3; ++c) tensor.emplace_back(v[c] * v * v.transpose());
    return tensor;
  };
  const Tensor got = transformed(cube(f), m);
  const Tensor want = cube(m * f);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_LT((got[c] - want[c]).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(levels, climb_a_ternary_tree_to_its_root) {
  for (const char* spec : {"linear:ternary:3", "linear:ternary:4"}) {
    const model::LinearNetwork network = generated(spec, 2);
    const MomentSet moments = exact_moments(network);
    Alone alone;
    const auto first = learn_level(moments, std::nullopt, {}, alone.workers(), "programs", true);
    ASSERT_TRUE(first.level);
    const Levels levels = learn_levels_above(*first.level, moments, {}, alone.workers());
    ASSERT_EQ(levels.above.size(), network.upper().size()) << levels.end;
    for (std::size_t i = 0; i < levels.above.size(); ++i) {
      // Sizes of loadings, whatever order the causes came in.
      std::vector<double> got;
      std::vector<double> want;
      for (double x : levels.above[i].loadings.significant.reshaped()) got.push_back(std::abs(x));
      for (double x : network.upper()[i].loadings.reshaped()) want.push_back(std::abs(x));
      std::ranges::sort(got);
      std::ranges::sort(want);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t e = 0; e < got.size(); ++e) EXPECT_NEAR(got[e], want[e], 1e-6);
    }
    EXPECT_NE(levels.end.find("one cause"), std::string::npos) << levels.end;
  }
}

TEST(levels, end_where_the_rank_condition_does) {
  const model::LinearNetwork network = generated("linear:bipartite:30,4,.5", 1, .5);
  Alone alone;
  const MomentSet moments = exact_moments(network);
  const auto first = learn_level(moments, std::nullopt, {}, alone.workers(), "programs", true);
  ASSERT_TRUE(first.level);
  // Equal correlations are one common cause's: four variables of it.
  const Levels levels = learn_levels_above(*first.level, moments, {}, alone.workers());
  ASSERT_EQ(levels.above.size(), 1U) << levels.end;
  for (const double loading : levels.above[0].loadings.estimates.reshaped()) {
    EXPECT_NEAR(std::abs(loading), std::sqrt(.5), 1e-6);
  }
}

}  // namespace
}  // namespace orrery::linear_latent
