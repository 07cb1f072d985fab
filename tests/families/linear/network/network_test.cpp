#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <limits>

#include "families/linear/network/examples.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::model {
namespace {

using namespace linear_examples;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

MatrixXd covariance_of_x(const LinearNetwork& network) {
  return MatrixXd(network.loadings() * network.covariance() * network.loadings().transpose()) +
         MatrixXd(network.noise().asDiagonal());
}

std::string linear_refusal(LinearParts parts, const std::function<void(LinearParts&)>& spoil) {
  spoil(parts);
  try {
    (void)LinearNetwork(std::move(parts));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const LinearParts& parts, const std::function<void(LinearParts&)>& spoil,
                    const std::string& text) {
  const std::string said = linear_refusal(parts, spoil);
  EXPECT_NE(said.find(text), std::string::npos) << text << ": is answered: " << said;
}

TEST(LinearNetwork, what_is_left_out_is_filled_in) {
  LinearParts parts = independent();
  parts.means = VectorXd();
  const LinearNetwork network(parts);
  EXPECT_EQ(network.n_observed(), 3U);
  EXPECT_EQ(network.n_causes(), 2U);
  EXPECT_EQ(network.n_edges(), 4U);
  EXPECT_EQ(network.means(), VectorXd::Zero(3));
  EXPECT_EQ(network.covariance(), MatrixXd::Identity(2, 2));
  EXPECT_EQ(network.parts().covariance.size(), 0);
  EXPECT_FALSE(network.has_coupling());
  EXPECT_EQ(network.causal_order(), (std::vector<std::size_t>{0, 1}));
}

TEST(LinearNetwork, a_coupling_gives_the_covariance_of_its_causes) {
  const LinearNetwork network(coupled());
  // h: .25; g: 4 * .25 + 3; together 2 * .25.
  EXPECT_EQ(network.covariance(), (MatrixXd{{.25, .5}, {.5, 4}}));
}

TEST(LinearNetwork, covariances_are_those_of_the_inverse) {
  LinearParts parts;
  parts.names = {"a"};
  parts.cause_names = {"h0", "h1", "h2", "h3"};
  parts.loadings = MatrixXd::Ones(1, 4);
  parts.noise = VectorXd::Ones(1);
  // h2 first, then h0, then h3 and h1.
  parts.coupling = MatrixXd{{0, 0, .5, 0}, {-.7, 0, .2, .3}, {0, 0, 0, 0}, {1.5, 0, -.4, 0}};
  parts.innovation = VectorXd{{1, .5, 2, .25}};
  const LinearNetwork network(parts);
  const MatrixXd inverse = linalg::pseudo_inverse_of(MatrixXd::Identity(4, 4) - parts.coupling);
  EXPECT_TRUE(network.covariance().isApprox(
      inverse * parts.innovation.asDiagonal() * inverse.transpose(), 1e-14));
  EXPECT_EQ(network.causal_order(), (std::vector<std::size_t>{2, 0, 3, 1}));
}

TEST(LinearNetwork, innovations_left_out_give_causes_variance_one) {
  LinearParts parts = coupled();
  parts.coupling = MatrixXd{{0, -.6}, {0, 0}};
  parts.innovation = VectorXd();
  const LinearNetwork network(parts);
  EXPECT_EQ(network.innovation(), (VectorXd{{1 - .6 * .6, 1}}));
  EXPECT_TRUE(network.covariance().isApprox(MatrixXd{{1, -.6}, {-.6, 1}}, 1e-14));
}

TEST(LinearNetwork, levels_give_covariances_from_the_top_down) {
  const LinearNetwork network(levelled());
  // u: 9 * 5 + 1, v: 5 + 2, together 15; h = u - v + eta, g = 2 v.
  EXPECT_EQ(network.covariance(), (MatrixXd{{46 + 7 - 30 + .5, 2 * (15 - 7)}, {16, 28}}));
  EXPECT_EQ(network.parts().covariance, MatrixXd{{5.0}});
}

TEST(LinearNetwork, a_network_may_have_no_cause_or_no_variable) {
  LinearParts parts;
  parts.names = {"a", "b"};
  parts.noise = VectorXd{{1, 2}};
  EXPECT_EQ(LinearNetwork(parts).loadings().rows(), 2);
  EXPECT_EQ(LinearNetwork(parts).canonical().n_causes(), 0U);
  parts = {};
  parts.cause_names = {"h"};
  EXPECT_EQ(LinearNetwork(parts).canonical().covariance(), MatrixXd::Identity(1, 1));
  EXPECT_EQ(LinearNetwork(LinearParts{}).canonical().n_observed(), 0U);
}

TEST(LinearNetwork, canonical_is_the_same_distribution_with_causes_of_variance_one) {
  for (const LinearParts& parts : {independent(), dependent(), coupled(), levelled()}) {
    const LinearNetwork network(parts);
    const LinearNetwork canonical = network.canonical();
    EXPECT_TRUE(canonical.covariance().diagonal().isApproxToConstant(1, 1e-14));
    EXPECT_TRUE(covariance_of_x(canonical).isApprox(covariance_of_x(network), 1e-14));
    EXPECT_EQ(canonical.n_edges(), network.n_edges());
    EXPECT_EQ(canonical.coupling().size(), network.coupling().size());
    // Once is enough.
    EXPECT_TRUE(canonical.canonical().loadings().isApprox(canonical.loadings(), 1e-14));
  }
  const LinearNetwork levels = LinearNetwork(levelled()).canonical();
  EXPECT_EQ(levels.parts().covariance, MatrixXd::Identity(1, 1));
  // u, v and top have variances 46, 7 and 5.
  EXPECT_NEAR(levels.upper()[1].loadings(0, 0), 3 * std::sqrt(5 / 46.), 1e-14);
  EXPECT_NEAR(levels.upper()[1].noise(0), 1 / 46., 1e-14);
  EXPECT_NEAR(levels.upper()[0].loadings(1, 1), 2 * std::sqrt(7 / 28.), 1e-14);
  const LinearNetwork canonical = LinearNetwork(coupled()).canonical();
  // sd(h) = .5, sd(g) = 2.
  EXPECT_EQ(canonical.coupling()(1, 0), .5);
  EXPECT_EQ(canonical.innovation(), (VectorXd{{1, .75}}));
}

TEST(LinearNetwork, parts_that_do_not_fit_are_refused) {
  expect_refused(
      independent(), [](LinearParts& p) { p.names[1].clear(); }, "observed[1] has 0 bytes");
  expect_refused(
      independent(), [](LinearParts& p) { p.names[2] = p.names[0]; },
      "observed[2] repeats the name 'a'");
  expect_refused(
      independent(), [](LinearParts& p) { p.cause_names[1] = p.cause_names[0]; },
      "causes[1] repeats the name 'h'");
  expect_refused(
      independent(), [](LinearParts& p) { p.cause_names[0].push_back('\0'); },
      "causes[0] has 2 bytes");
  expect_refused(
      independent(), [](LinearParts& p) { p.means = VectorXd::Zero(2); },
      "means has 2 values; 3 are needed");
  expect_refused(
      independent(), [](LinearParts& p) { p.means = VectorXd::Constant(3, not_a_number); },
      "means[0] = nan");
  expect_refused(
      independent(), [](LinearParts& p) { p.loadings = MatrixXd::Ones(2, 3); },
      "loadings has 2 rows of 3 values");
  expect_refused(
      independent(), [](LinearParts& p) { p.loadings(2, 1) = not_a_number; },
      "loadings[2][1] = nan");
  expect_refused(
      independent(), [](LinearParts& p) { p.noise(2) = -.1; },
      "noise[2] = -0.1; a variance, 0 or more,");
  expect_refused(
      independent(), [](LinearParts& p) { p.noise = VectorXd(); }, "noise has 0 values");
  expect_refused(
      independent(), [](LinearParts& p) { p.loadings(0, 0) = 1e200; },
      "variable \"a\" has variance inf");
}

TEST(LinearNetwork, covariances_must_be_positive_definite) {
  expect_refused(
      dependent(), [](LinearParts& p) { p.covariance = MatrixXd::Ones(1, 1); },
      "covariance has 1 rows");
  expect_refused(
      dependent(), [](LinearParts& p) { p.covariance(1, 1) = 0; }, "covariance[1][1] = 0");
  expect_refused(
      dependent(), [](LinearParts& p) { p.covariance(1, 0) = 1.001; }, "covariance[1][0] = 1.001");
  expect_refused(
      dependent(), [](LinearParts& p) { p.covariance(1, 0) = p.covariance(0, 1) = 6.5; },
      "not positive definite: the least eigenvalue of its correlations is -0.0833");
  expect_refused(
      dependent(), [](LinearParts& p) { p.covariance(1, 0) = p.covariance(0, 1) = 6; },
      "not positive definite");
  EXPECT_EQ(linear_refusal(dependent(), [](LinearParts& p) { p.covariance(1, 0) += 1e-10; }),
            "accepted");
}

TEST(LinearNetwork, couplings_must_have_an_order_and_levels_a_variance) {
  expect_refused(
      coupled(), [](LinearParts& p) { p.coupling(0, 1) = 1; }, "the cycle \"h\" -> \"g\" -> \"h\"");
  expect_refused(
      coupled(), [](LinearParts& p) { p.coupling(1, 1) = 1; }, "coupling[1][1] = 1; 0 is needed");
  expect_refused(
      coupled(), [](LinearParts& p) { p.innovation(0) = 0; }, "innovation[0] = 0");
  expect_refused(
      coupled(), [](LinearParts& p) { p.innovation = VectorXd(); },
      "\"g\" depends on give it variance 4, so that no");
  expect_refused(
      coupled(), [](LinearParts& p) { p.covariance = MatrixXd::Identity(2, 2); }, "leave it out");
  expect_refused(
      coupled(), [](LinearParts& p) { p.upper = levelled().upper; }, "one or the other");
  expect_refused(
      independent(), [](LinearParts& p) { p.innovation = VectorXd::Ones(2); },
      "without a coupling");
  expect_refused(
      levelled(), [](LinearParts& p) { p.upper[1].names.clear(); }, "levels[1] has no cause");
  expect_refused(
      levelled(), [](LinearParts& p) { p.upper[0].names[1] = p.upper[0].names[0]; },
      "levels[0].causes[1] repeats");
  expect_refused(
      levelled(), [](LinearParts& p) { p.upper[1].loadings = MatrixXd::Ones(2, 2); },
      "levels[1].loadings has 2 rows of 2 values; 2 rows of 1");
  expect_refused(
      levelled(), [](LinearParts& p) { p.upper[0].noise(1) = -1; }, "levels[0].noise[1] = -1");
  expect_refused(
      levelled(), [](LinearParts& p) { p.upper[0].loadings.row(1).setZero(); },
      "cause \"g\" has variance 0");
}

TEST(LinearNetwork, a_cycle_is_named_without_the_causes_that_hang_on_it) {
  LinearParts parts;
  parts.cause_names = {"first", "a", "b", "c", "last"};
  parts.coupling = MatrixXd::Zero(5, 5);
  parts.coupling(1, 0) = .5;  // first -> a
  parts.coupling(2, 1) = parts.coupling(3, 2) = parts.coupling(1, 3) = .5;
  parts.coupling(4, 3) = .5;  // c -> last
  expect_refused(
      parts, [](LinearParts&) {}, "the cycle \"a\" -> \"b\" -> \"c\" -> \"a\";");
}

}  // namespace
}  // namespace orrery::model
