// The conditions of Theorem 3.2, against a walk over all directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "families/linear/network/expansion.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_loadings(Index n, Index k, double theta, std::uint64_t number) {
  RowRandom random(20130616, Stream::check, number);
  MatrixXd loadings = MatrixXd::Zero(n, k);
  for (double& entry : loadings.reshaped()) {
    const double size = .5 + .5 * random.uniform();
    if (random.bernoulli(theta)) entry = random.bernoulli(.5) ? size : -size;
  }
  return loadings;
}

bool has(const MatrixXd& a, Index i, Index j) { return a(i, j) != 0; }

/// The theorem's two sides for one variable and one v over all causes, written as it is printed.
struct Sides {
  double left = 0;
  double right = 0;
};
Sides first_sides(const MatrixXd& a, Index i, const VectorXd& v) {
  Sides sides;
  for (Index l = 0; l < a.rows(); ++l) {
    bool near = false;
    for (Index j = 0; j < a.cols(); ++j) near = near || (has(a, i, j) && has(a, l, j));
    double sum = 0;
    for (Index j = 0; j < a.cols(); ++j) {
      if (!has(a, i, j)) sum += a(l, j) * v[j];
    }
    (near ? sides.right : sides.left) += std::abs(sum);
  }
  return sides;
}
Sides second_sides(const MatrixXd& a, Index i, Index j, const VectorXd& v) {
  std::vector<double> row;
  for (Index c = 0; c < a.cols(); ++c) row.push_back(std::abs(a(i, c)));
  std::ranges::sort(row, std::greater<>());
  const double gamma = 1 - row[1] / row[0];
  Sides sides;
  double length = 0;
  for (Index c = 0; c < a.cols(); ++c) {
    if (c != j && has(a, i, c)) length += std::abs(v[c]);
  }
  for (Index l = 0; l < a.rows(); ++l) {
    double sum = 0;
    for (Index c = 0; c < a.cols(); ++c) {
      if (c != j && has(a, i, c)) sum += a(l, c) * v[c];
    }
    (has(a, l, j) ? sides.right : sides.left) += std::abs(sum);
  }
  sides.right += (1 - gamma) * a.col(j).cwiseAbs().sum() * length;
  return sides;
}

/// Directions of three causes, half of them (v and -v are alike).
std::vector<VectorXd> directions(int steps) {
  std::vector<VectorXd> all;
  for (int p = 0; p <= steps; ++p) {
    for (int q = 0; q < 2 * steps; ++q) {
      const double up = std::numbers::pi / 2 * p / steps;
      const double round = std::numbers::pi * q / steps;
      all.push_back(
          VectorXd{{std::cos(up) * std::cos(round), std::cos(up) * std::sin(round), std::sin(up)}});
    }
  }
  return all;
}

double ratio_of(const Sides& sides) {
  return sides.right > 1e-12 ? sides.left / sides.right : std::numeric_limits<double>::infinity();
}

/// Least ratios of both conditions over the walk.
struct Walked {
  double first = std::numeric_limits<double>::infinity();
  double second = std::numeric_limits<double>::infinity();
};
Walked walk(const MatrixXd& a, const std::vector<VectorXd>& all) {
  Walked least;
  for (Index i = 0; i < a.rows(); ++i) {
    if (a.row(i).isZero(0)) continue;
    for (const VectorXd& v : all) {
      least.first = std::min(least.first, ratio_of(first_sides(a, i, v)));
      for (Index j = 0; j < a.cols(); ++j) {
        if (has(a, i, j)) least.second = std::min(least.second, ratio_of(second_sides(a, i, j, v)));
      }
    }
  }
  return least;
}

TEST(program_conditions, least_ratios_are_those_of_a_walk_over_all_directions) {
  const std::vector<VectorXd> all = directions(60);
  int finite = 0;
  for (std::uint64_t number = 0; number < 12; ++number) {
    const MatrixXd a = random_loadings(12, 3, number % 2 == 0 ? .3 : .5, number);
    const ProgramConditions found = check_programs(a);
    const Walked walked = walk(a, all);
    EXPECT_TRUE(found.first.exhaustive && found.second.exhaustive);
    // A walk comes near the least ratio from above: steps of 1.5 degrees, norms of some ten terms.
    EXPECT_LE(found.first.least_ratio, walked.first + 1e-12);
    EXPECT_LE(found.second.least_ratio, walked.second + 1e-12);
    if (std::isfinite(walked.first)) {
      EXPECT_NEAR(found.first.least_ratio, walked.first, .05 * walked.first + .05);
      ++finite;
    }
    if (std::isfinite(walked.second)) {
      EXPECT_NEAR(found.second.least_ratio, walked.second, .05 * walked.second + .05);
    }
  }
  EXPECT_GT(finite, 8);
}

TEST(program_conditions, causes_that_share_nothing_meet_them) {
  MatrixXd a = MatrixXd::Zero(9, 3);
  for (Index i = 0; i < 9; ++i) a(i, i / 3) = .5;
  const ProgramConditions found = check_programs(a);
  EXPECT_TRUE(found.holds);
  EXPECT_EQ(found.n_variables, 9U);
  EXPECT_DOUBLE_EQ(found.least_gap, 1);
  EXPECT_TRUE(found.never_largest.empty());
}

TEST(program_conditions, name_a_tie_and_a_cause_that_is_largest_nowhere) {
  // x3 has equal loadings; cause 1 is the lesser one of all of its variables.
  const MatrixXd a{{.9, 0}, {.9, .5}, {.9, .5}, {.9, .9}, {.9, .5}};
  const ProgramConditions found = check_programs(a);
  EXPECT_FALSE(found.holds);
  EXPECT_DOUBLE_EQ(found.least_gap, 0);
  EXPECT_EQ(found.gap_variable, 3U);
  EXPECT_EQ(found.never_largest, (std::vector<std::uint32_t>{1}));
}

TEST(program_conditions, by_hand_of_two_causes) {
  // Of x0 (cause 0 alone): v = v_1; rows of N_0^2 are x0 to x2, of which x2 has .5 of cause 1.
  const MatrixXd a{{.9, 0}, {.9, 0}, {.9, .5}, {0, .8}, {0, .8}};
  const ProgramConditions found = check_programs(a);
  // (i): of x0 (.8 + .8) / .5, of x3 (.9 + .9) / .9 the least.
  EXPECT_NEAR(found.first.least_ratio, 2, 1e-12);
  EXPECT_EQ(found.first.variable, 3U);
  // (ii): of x2, 1 - gamma = 5/9. j = 0: 1.6 / (.5 + 5/9 2.7); j = 1: 1.8 / (.9 + 5/9 2.1).
  EXPECT_NEAR(found.second.least_ratio, 1.6 / 2, 1e-12);
  EXPECT_EQ(found.second.variable, 2U);
  EXPECT_EQ(found.second.n_failing, 1U);
  EXPECT_FALSE(found.holds);
}

}  // namespace
}  // namespace orrery::model
