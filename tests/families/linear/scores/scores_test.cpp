#include "families/linear/scores/scores.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::linear {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::LearnedLinear;
using model::LinearNetwork;
using model::LinearParts;

std::vector<std::string> named(const char* stem, Eigen::Index n) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < n; ++i) names.push_back(stem + std::to_string(i));
  return names;
}

LinearParts parts_of(const MatrixXd& loadings) {
  LinearParts parts;
  parts.names = named("x", loadings.rows());
  parts.cause_names = named("h", loadings.cols());
  parts.loadings = loadings;
  parts.noise = VectorXd::Constant(loadings.rows(), .5);
  return parts;
}

/// Two causes of correlation .5 that share the last variable.
LinearParts example() {
  MatrixXd loadings(5, 2);
  loadings << .8, 0, .6, 0, 0, .7, 0, .9, .5, -.5;
  LinearParts parts = parts_of(loadings);
  parts.covariance = MatrixXd{{1, .5}, {.5, 1}};
  return parts;
}

LearnedLinear learned_of(LinearParts parts) {
  LearnedLinear learned;
  learned.network = LinearNetwork(std::move(parts));
  return learned;
}

/// Column j of what comes out is column from[j], times sign[j].
MatrixXd mixing(const std::vector<Eigen::Index>& from, const std::vector<double>& sign) {
  const auto k = static_cast<Eigen::Index>(from.size());
  MatrixXd matrix = MatrixXd::Zero(k, k);
  for (std::size_t j = 0; j < from.size(); ++j)
    matrix(from[j], static_cast<Eigen::Index>(j)) = sign[j];
  return matrix;
}

TEST(LinearScores, order_and_sign_of_causes_change_nothing) {
  const LinearNetwork truth(example());
  LinearParts parts = example();
  const MatrixXd mixed = mixing({1, 0}, {1, -1});
  parts.loadings = parts.loadings * mixed;
  parts.covariance = mixed.transpose() * parts.covariance * mixed;
  LearnedLinear learned = learned_of(parts);
  learned.estimates = parts.loadings;
  learned.loading_errors = MatrixXd::Constant(5, 2, .01);
  const LinearScores scores = score_linear(learned, truth);
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(scores.sign, (std::vector<double>{-1, 1}));
  EXPECT_NEAR(scores.cosine[0], 1, 1e-15);
  EXPECT_TRUE(scores.same_support());
  EXPECT_EQ(scores.n_true_edges, 6U);
  EXPECT_EQ(scores.f1, 1);
  EXPECT_EQ(scores.loading_error, 0);
  EXPECT_EQ(scores.largest_error, 0);
  EXPECT_EQ(scores.covariance_error, 0);
  EXPECT_EQ(scores.noise_error, 0);
  EXPECT_EQ(scores.n_with_error, 10U);
  EXPECT_EQ(scores.n_covered, 10U);
  EXPECT_FALSE(scores.has_coupling);
}

TEST(LinearScores, an_extra_and_a_missing_cause_cost_their_edges) {
  const LinearNetwork truth(example());
  LinearParts more = parts_of(MatrixXd(5, 3));
  more.loadings << .8, .1, 0, .6, 0, 0, 0, 0, .7, 0, 0, .9, .5, .2, -.5;
  LinearScores scores = score_linear(learned_of(more), truth);
  EXPECT_EQ(scores.n_learned_causes, 3U);
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(scores.n_common_edges, 6U);
  EXPECT_EQ(scores.precision, 6. / 8);
  EXPECT_EQ(scores.recall, 1);
  EXPECT_EQ(scores.f1, 12. / 14);
  EXPECT_EQ(scores.loading_error, 0);  // of the causes that there are

  const MatrixXd second = truth.loadings().col(1);
  scores = score_linear(learned_of(parts_of(second)), truth);
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{-1, 0}));
  EXPECT_EQ(scores.cosine[0], 0);
  EXPECT_EQ(scores.precision, 1);
  EXPECT_EQ(scores.recall, .5);
  // |(.8 .6 0 0 .5)|^2 = 1.25, |(0 0 .7 .9 -.5)|^2 = 1.55.
  EXPECT_NEAR(scores.loading_error, std::sqrt(1.25 / 2.8), 1e-15);
  EXPECT_EQ(scores.largest_error, .8);

  // A column that shares nothing with the one left over is no partner of it.
  MatrixXd apart = MatrixXd::Zero(5, 2);
  apart.col(0) = second;
  apart(2, 1) = 1;
  scores = score_linear(learned_of(parts_of(apart)), truth);
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{-1, 0}));
  EXPECT_EQ(score_linear(learned_of(parts_of(MatrixXd(5, 0))), truth).recall, 0);
}

TEST(LinearScores, errors_and_intervals_are_those_of_the_entries) {
  const LinearNetwork truth(example());
  LinearParts parts = example();
  parts.loadings << .9, 0, .6, 0, 0, .7, .1, .9, .5, 0;
  parts.covariance = MatrixXd{{1, .3}, {.3, 1}};
  parts.noise(2) = .6;
  LearnedLinear learned = learned_of(parts);
  EXPECT_EQ(score_linear(learned, truth).n_with_error, 0U);
  learned.estimates = parts.loadings;
  learned.estimates(4, 1) = -.4;  // was not significant
  learned.loading_errors = MatrixXd::Constant(5, 2, .052);
  learned.loading_errors(0, 0) = .051;
  learned.loading_errors(3, 0) = .051;
  learned.loading_errors(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const LinearScores scores = score_linear(learned, truth);
  EXPECT_EQ(scores.n_common_edges, 5U);
  EXPECT_EQ(scores.n_learned_edges, 6U);
  EXPECT_NEAR(scores.loading_error, std::sqrt((.01 + .01 + .25) / 2.8), 1e-15);
  EXPECT_EQ(scores.largest_error, .5);
  EXPECT_NEAR(scores.covariance_error, .2, 1e-15);
  EXPECT_NEAR(scores.noise_error, .1, 1e-15);
  EXPECT_EQ(scores.n_with_error, 9U);
  EXPECT_EQ(scores.n_covered, 7U);  // .1 is within 1.96 x .052, not within 1.96 x .051
}

TEST(LinearScores, scales_of_causes_do_not_count) {
  const LinearNetwork truth(example());
  LinearParts parts = example();
  const MatrixXd scale = VectorXd{{2, .25}}.asDiagonal();
  parts.loadings = parts.loadings * VectorXd{{.5, 4}}.asDiagonal();
  parts.covariance = scale * parts.covariance * scale;
  LearnedLinear learned = learned_of(parts);
  learned.estimates = parts.loadings;
  learned.estimates(0, 0) += .05;  // .1 of the canonical form
  learned.loading_errors = MatrixXd::Constant(5, 2, .0255);
  const LinearScores scores = score_linear(learned, truth);
  EXPECT_NEAR(scores.largest_error, 0, 1e-15);
  EXPECT_NEAR(scores.covariance_error, 0, 1e-15);
  EXPECT_EQ(scores.n_covered, 9U);
  learned.loading_errors(0, 0) = .0256;  // .0512 of the canonical form
  EXPECT_EQ(score_linear(learned, truth).n_covered, 10U);
  EXPECT_NEAR(score_linear(learned_of(example()), LinearNetwork(parts)).largest_error, 0, 1e-15);
}

TEST(LinearScores, errors_are_scaled_with_what_they_belong_to) {
  LinearParts parts = parts_of(MatrixXd::Identity(2, 2));
  parts.coupling = MatrixXd{{0, 0}, {3, 0}};
  parts.innovation = VectorXd{{4, 64}};  // variances 4 and 100
  LearnedLinear learned = learned_of(parts);
  learned.loading_errors = learned.covariance_errors = learned.coupling_errors =
      MatrixXd::Ones(2, 2);
  const LearnedLinear scaled = canonical(learned);
  EXPECT_NEAR(scaled.network.coupling()(1, 0), 3 * 2. / 10, 1e-15);
  EXPECT_EQ(scaled.loading_errors, (MatrixXd{{2, 10}, {2, 10}}));
  EXPECT_EQ(scaled.estimates.size(), 0);
  EXPECT_NEAR(scaled.covariance_errors(0, 1), 1. / 20, 1e-15);
  EXPECT_NEAR(scaled.coupling_errors(1, 0), 2. / 10, 1e-15);
}

TEST(LinearScores, couplings_are_compared_in_the_order_of_the_true_causes) {
  LinearParts parts = parts_of(MatrixXd(6, 3));
  parts.loadings << 1, 0, 0, .5, 0, 0, 0, 1, 0, 0, .5, 0, 0, 0, 1, 0, 0, .5;
  LinearParts other = parts;
  parts.coupling = MatrixXd::Zero(3, 3);
  parts.coupling(1, 0) = .6;
  parts.coupling(2, 1) = -.5;
  const LinearNetwork truth(parts);
  const MatrixXd mixed = mixing({2, 0, 1}, {-1, 1, -1});
  other.loadings = other.loadings * mixed;
  other.coupling = mixed.transpose() * parts.coupling * mixed;
  LinearScores scores = score_linear(learned_of(other), truth);
  EXPECT_TRUE(scores.has_coupling);
  EXPECT_EQ(scores.coupling_error, 0);
  EXPECT_EQ(scores.n_common_couplings, 2U);
  EXPECT_NEAR(scores.covariance_error, 0, 1e-15);
  // Learned as if the path went the other way from the last cause: 0 <- 1 <- 2.
  other.coupling.setZero();
  other.coupling(2, 0) = .5;
  other.coupling(1, 2) = -.6;
  scores = score_linear(learned_of(other), truth);
  EXPECT_EQ(scores.n_true_couplings, 2U);
  EXPECT_EQ(scores.n_learned_couplings, 2U);
  EXPECT_EQ(scores.n_common_couplings, 0U);
  EXPECT_EQ(scores.coupling_error, .6);
  other.coupling.resize(0, 0);
  EXPECT_FALSE(score_linear(learned_of(other), truth).has_coupling);
}

/// Each variable hangs from one of those above, and has variance 1.
model::UpperLevel level(const MatrixXd& loadings, const char* stem) {
  return {loadings, 1 - loadings.cwiseAbs2().rowwise().sum().array(), named(stem, loadings.cols())};
}

TEST(LinearScores, levels_are_matched_from_below_upwards) {
  const MatrixXd above{{.5, 0}, {.6, 0}, {0, .7}, {0, .8}};
  const MatrixXd top{{.5}, {.25}};
  LinearParts parts = parts_of(MatrixXd::Identity(4, 4));
  parts.upper = {level(above, "g"), level(top, "f")};
  const LinearNetwork truth(parts);
  const MatrixXd low = mixing({3, 1, 0, 2}, {1, -1, -1, 1});
  const MatrixXd middle = mixing({1, 0}, {-1, 1});
  parts.loadings = parts.loadings * low;
  parts.upper = {level(low.transpose() * above * middle, "g"),
                 level(-middle.transpose() * top, "f")};
  const LinearScores same = score_linear(learned_of(parts), truth);
  ASSERT_EQ(same.level_errors.size(), 2U);
  EXPECT_NEAR(same.level_errors[0], 0, 1e-15);
  EXPECT_NEAR(same.level_errors[1], 0, 1e-15);
  // One level less; the learned cause 1 is the true one 1, with the other sign.
  MatrixXd off = above;
  off(1, 0) += .125;
  parts.upper = {level(low.transpose() * off * middle, "g")};
  const LinearScores lower = score_linear(learned_of(parts), truth);
  ASSERT_EQ(lower.level_errors.size(), 1U);
  EXPECT_NEAR(lower.level_errors[0], .125, 1e-15);
}

TEST(LinearScores, the_matching_is_the_best_of_all) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    const auto draw = [&] {
      return MatrixXd(MatrixXd::NullaryExpr(6, 4, [&] { return normal(random); }));
    };
    const MatrixXd a = draw();
    const MatrixXd b = draw();
    const MatrixXd cosines =
        (a.colwise().normalized().transpose() * b.colwise().normalized()).cwiseAbs();
    std::vector<Eigen::Index> order{0, 1, 2, 3};
    double best = 0;
    do {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += cosines(static_cast<Eigen::Index>(j), order[j]);
      best = std::max(best, sum);
    } while (std::ranges::next_permutation(order).found);
    const LinearScores scores = score_linear(learned_of(parts_of(b)), LinearNetwork(parts_of(a)));
    EXPECT_NEAR(std::accumulate(scores.cosine.begin(), scores.cosine.end(), 0.), best, 1e-12);
  }
}

TEST(LinearScores, variables_are_aligned_by_name_or_else_by_position) {
  LinearParts parts = example();
  LearnedLinear learned = learned_of(parts);
  learned.loading_errors = MatrixXd::Zero(5, 2);
  learned.loading_errors.col(0) = VectorXd::LinSpaced(5, 0, 4);
  learned.noise_errors = VectorXd::LinSpaced(5, 0, 4);
  parts.names = {"x3", "x0", "x1", "x2", "x4"};
  LearnedLinear moved = aligned(learned, parts.names, "t.json");
  EXPECT_EQ(moved.network.names(), parts.names);
  EXPECT_EQ(moved.network.loadings()(0, 1), .9);
  EXPECT_EQ(moved.network.loadings()(1, 0), .8);
  EXPECT_EQ(moved.loading_errors(0, 0), 3);
  EXPECT_EQ(moved.noise_errors(3), 2);
  EXPECT_EQ(moved.network.covariance(), learned.network.covariance());
  parts.names[4] = "y";
  moved = aligned(learned, parts.names, "t.json");
  EXPECT_EQ(moved.network.names(), learned.network.names());
  EXPECT_EQ(moved.loading_errors, learned.loading_errors);
  EXPECT_THROW((void)aligned(learned, {"x0", "x1", "x2", "x3"}, "t.json"), InputError);
}

TEST(strongest, is_sorted_by_size_and_leaves_zeros_out) {
  const Eigen::MatrixXd matrix{{.5, 0}, {-2, -.5}, {0, 1}};
  const auto entries = strongest(matrix);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].row, 1);
  EXPECT_EQ(entries[0].column, 0);
  EXPECT_EQ(entries[0].value, -2);
  EXPECT_EQ(entries[1].value, 1);
  EXPECT_EQ(entries[2].value, .5);  // of equal ones the earlier column
  EXPECT_EQ(entries[3].value, -.5);
  EXPECT_TRUE(strongest(Eigen::MatrixXd(0, 3)).empty());
}

}  // namespace
}  // namespace orrery::linear
