#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "moments/negative_moments.hpp"
#include "moments/small_networks.hpp"

namespace orrery::moments {
namespace {

using examples::random_network;
using examples::SmallNetwork;
using examples::uniform;

TripletMoments moments_of(const SmallNetwork& network) {
  TripletMoments negative{};
  for (std::size_t set = 0; set < 8; ++set) negative[set] = network.negative(set);
  return negative;
}

TEST(Mixture, exact_triplets_give_back_prior_and_failures_whatever_the_leaks) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const SmallNetwork network = random_network(random, 1, 3, 1);
    const auto views = fit_mixture(moments_of(network));
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(views[k]) << i;
      EXPECT_NEAR(views[k]->prior, network.priors[0], 1e-10);
      EXPECT_NEAR(views[k]->failure, network.failures[0][k], 1e-10);
    }
  }
}

TEST(Mixture, causes_that_share_no_two_of_the_triplet_count_as_leaks) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    SmallNetwork network = random_network(random, 4, 3, 1);
    for (std::size_t u = 1; u < 4; ++u) {
      for (std::size_t x = 0; x < 3; ++x) {
        if (x != u - 1) network.failures[u][x] = 1;
      }
    }
    const auto views = fit_mixture(moments_of(network));
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(views[k]);
      EXPECT_NEAR(views[k]->prior, network.priors[0], 1e-10);
      EXPECT_NEAR(views[k]->failure, network.failures[0][k], 1e-10);
    }
  }
}

TEST(Mixture, a_child_that_never_fails_has_failure_zero) {
  // P(b, c, a off) is then singular: every row with a off has the cause off.
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    SmallNetwork network = random_network(random, 1, 3, 1);
    network.failures[0][0] = 0;
    const auto views = fit_mixture(moments_of(network));
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(views[k]) << i;
      EXPECT_NEAR(views[k]->prior, network.priors[0], 1e-10);
      EXPECT_NEAR(views[k]->failure, network.failures[0][k], 1e-10);
    }
  }
}

TEST(Mixture, independent_columns_are_no_mixture) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 500; ++i) {
    std::array<double, 3> off{};
    for (double& p : off) p = uniform(random, .05, .95);
    TripletMoments negative{};
    for (std::size_t set = 0; set < 8; ++set) {
      negative[set] = 1;
      for (std::size_t k = 0; k < 3; ++k) {
        if (((set >> k) & 1U) != 0) negative[set] *= off[k];
      }
    }
    for (const auto& view : fit_mixture(negative)) EXPECT_FALSE(view);
  }
}

TEST(Mixture, a_constant_column_is_no_mixture) {
  // c always on: P(c off) = 0; then c always off.
  for (const auto& view : fit_mixture({1, .6, .7, .5, 0, 0, 0, 0})) EXPECT_FALSE(view);
  for (const auto& view : fit_mixture({1, .6, .7, .5, 1, .6, .7, .5})) EXPECT_FALSE(view);
}

/// Eq. (2) to the letter, for the first variable; cells[S] = P(exactly S off).
std::optional<MixtureView> equation_2(const std::array<double, 8>& cells) {
  Eigen::Matrix2d a_off;
  Eigen::Matrix2d a_on;
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t c = 0; c < 2; ++c) {
      const auto row = static_cast<Eigen::Index>(b);
      const auto column = static_cast<Eigen::Index>(c);
      a_off(row, column) = cells[1 + 2 * b + 4 * c];
      a_on(row, column) = cells[2 * b + 4 * c];
    }
  }
  const Eigen::EigenSolver<Eigen::Matrix2d> solver(a_on * a_off.inverse());
  const auto values = solver.eigenvalues();
  if (values(0).imag() != 0) return std::nullopt;
  const double low = std::min(values(0).real(), values(1).real());
  const double high = std::max(values(0).real(), values(1).real());
  const MixtureView view{(1 + high) / (high - low) * (a_on - low * a_off).sum(),
                         (1 + low) / (1 + high)};
  if (!(1 + low > 0 && view.prior > 0 && view.prior < 1)) return std::nullopt;
  return view;
}

TEST(Mixture, random_tables_agree_with_an_eigenvalue_solver_also_on_which_are_none) {
  std::mt19937_64 random(5);
  int n_views = 0;
  int n_empty = 0;
  for (int i = 0; i < 2000; ++i) {
    std::array<double, 8> cells{};
    double sum = 0;
    for (double& cell : cells) sum += cell = uniform(random, 0, 1);
    TripletMoments negative{};
    for (double& cell : cells) cell /= sum;
    for (std::size_t set = 0; set < 8; ++set) {
      for (std::size_t off = 0; off < 8; ++off) {
        if ((off & set) == set) negative[set] += cells[off];
      }
    }
    const auto expected = equation_2(cells);
    const auto view = fit_mixture(negative)[0];
    ASSERT_EQ(view.has_value(), expected.has_value()) << i;
    (view ? n_views : n_empty) += 1;
    if (!view) continue;
    EXPECT_NEAR(view->prior, expected->prior, 1e-9);
    EXPECT_NEAR(view->failure, expected->failure, 1e-9);
  }
  EXPECT_GT(n_views, 200);
  EXPECT_GT(n_empty, 200);
}

TEST(Mixture, median_is_the_middle_or_the_mean_of_the_middle_two) {
  EXPECT_EQ(median(std::vector{3.0}), 3);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 4.0}), 4);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 4.0, 2.0}), 3);
}

TEST(Information, gap_is_positive_exactly_where_the_three_share_a_parent) {
  std::mt19937_64 random(6);
  int n_shared = 0;
  for (int i = 0; i < 3000; ++i) {
    const SmallNetwork network = random_network(random, 1 + i % 4, 3, .6);
    bool shared = false;
    for (const auto& failures : network.failures) {
      shared = shared || (failures[0] < 1 && failures[1] < 1 && failures[2] < 1);
    }
    n_shared += shared ? 1 : 0;
    const TripletMoments negative = moments_of(network);
    // P(ab) / (P(a) P(b)) - P(ab|x) / (P(a|x) P(b|x)), everything off.
    const double x = negative[4];
    const double expected = negative[3] / (negative[1] * negative[2]) -
                            (negative[7] / x) / ((negative[5] / x) * (negative[6] / x));
    EXPECT_NEAR(information_gap(negative), expected, 1e-13);
    // Least signal of a shared parent: p (1 - f)^3 = .05 * .2^3, and p_U < 1/2.
    if (shared) {
      EXPECT_GT(information_gap(negative), 1e-5);
    } else {
      EXPECT_NEAR(information_gap(negative), 0, 1e-13);
    }
  }
  EXPECT_GT(n_shared, 500);
  EXPECT_LT(n_shared, 2500);
}

TEST(Information, equations_5_and_6_invert_the_information_of_a_triplet) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    SmallNetwork network = random_network(random, 3, 3, 1);
    network.failures[1][0] = 1;  // parents of (b, x) and of (a, x): no longer singly coupled,
    network.failures[2][1] = 1;  // but a and b still have one parent in common
    const double r = conditional_mutual_information(moments_of(network));
    EXPECT_NEAR(failure_from_information(r, network.priors[0], network.failures[0][0],
                                         network.failures[0][1]),
                network.failures[0][2], 1e-9);
  }
}

TEST(Information, failures_are_clamped_to_the_ends) {
  constexpr double prior = .3;
  constexpr double a = .2;
  constexpr double b = .4;
  // No information left by x off: the cause is then off, f = 0. All of it left: no edge.
  EXPECT_EQ(failure_from_information(1, prior, a, b), 0);
  EXPECT_EQ(failure_from_information(.9, prior, a, b), 0);
  const double pmi =
      (1 - prior + prior * a * b) / ((1 - prior + prior * a) * (1 - prior + prior * b));
  EXPECT_NEAR(failure_from_information(pmi, prior, a, b), 1, 1e-12);
  EXPECT_EQ(failure_from_information(1.01 * pmi, prior, a, b), 1);
  EXPECT_EQ(failure_from_information(100 * pmi, prior, a, b), 1);
  // In between it rises with what is left.
  double before = 0;
  for (double r = 1; r < pmi; r += .01 * (pmi - 1)) {
    const double failure = failure_from_information(r, prior, a, b);
    EXPECT_GE(failure, before);
    EXPECT_LE(failure, 1);
    before = failure;
  }
  EXPECT_GT(before, .9);
}

}  // namespace
}  // namespace orrery::moments
