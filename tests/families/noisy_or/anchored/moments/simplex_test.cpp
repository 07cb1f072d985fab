#include <gtest/gtest.h>

#include <algorithm>

#include "families/noisy_or/anchored/joint_tables.hpp"
#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace orrery::anchored {
namespace {

/// Eq. (23) of one table, from its definition.
double objective(std::span<const double> observed, std::span<const Rates> rates, double regularise,
                 std::span<const double> independent, std::vector<double> moments) {
  double sum = 0;
  for (std::size_t i = 0; i < moments.size() && regularise > 0; ++i) {
    if (independent[i] > 0) {
      sum += regularise * independent[i] * std::log(independent[i] / moments[i]);
    }
  }
  apply_noise(moments, rates);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (observed[i] > 0) sum += observed[i] * std::log(observed[i] / moments[i]);
  }
  return sum;
}

TEST(Simplex, noise_is_the_sum_over_the_states_of_the_causes) {
  const std::vector<Rates> rates = random_rates(3, 1);
  const std::vector<double> causes = random_joint(3, 1);
  std::vector<double> shown = causes;
  apply_noise(shown, rates);
  for (std::size_t a = 0; a < 8; ++a) {
    double sum = 0;  // Eq. (1)
    for (std::size_t y = 0; y < 8; ++y) {
      double product = causes[y];
      for (std::size_t i = 0; i < 3; ++i) {
        const double on = rates[i][(y >> i) & 1U];
        product *= ((a >> i) & 1U) != 0 ? on : 1 - on;
      }
      sum += product;
    }
    EXPECT_NEAR(shown[a], sum, 1e-15);
  }
  std::vector<double> back = shown;
  remove_noise(back, rates);
  for (std::size_t y = 0; y < 8; ++y) EXPECT_NEAR(back[y], causes[y], 1e-14);
  std::vector<double> transposed = causes;  // <R x, g> = <x, R^T g>
  apply_transposed_noise(transposed, rates);
  double left = 0;
  double right = 0;
  for (std::size_t i = 0; i < 8; ++i) left += shown[i] * causes[i];
  for (std::size_t i = 0; i < 8; ++i) right += causes[i] * transposed[i];
  EXPECT_NEAR(left, right, 1e-15);
}

TEST(Simplex, exact_moments_of_one_to_four_causes_are_recovered) {
  for (std::size_t n = 1; n <= 4; ++n) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> causes = random_joint(n, seed);
      const std::vector<Rates> rates = random_rates(n, seed);
      std::vector<double> observed = causes;
      apply_noise(observed, rates);
      const auto moments = recover_table(observed, rates, 0, {});
      for (std::size_t i = 0; i < causes.size(); ++i) EXPECT_NEAR(moments[i], causes[i], 1e-12);
    }
  }
}

TEST(Simplex, exact_moments_with_impossible_states_are_recovered) {
  // Rounding leaves some cells of R^-1 observed below 0: the program, not the inverse, decides.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> causes = random_joint(3, seed);
    for (const std::size_t state : {1U, 4U, 6U}) causes[state] = 0;
    const double sum = causes[0] + causes[2] + causes[3] + causes[5] + causes[7];
    for (double& cell : causes) cell /= sum;
    const std::vector<Rates> rates = random_rates(3, seed);
    std::vector<double> observed = causes;
    apply_noise(observed, rates);
    const auto moments = recover_table(observed, rates, 0, {});
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(moments[i], causes[i], 1e-7) << seed;
  }
}

TEST(Simplex, sampled_pairs_are_no_worse_than_any_point_of_a_fine_grid) {
  std::size_t n_outside = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::vector<Rates> rates = random_rates(2, seed);
    std::vector<double> observed = random_joint(2, seed, 8);
    apply_noise(observed, rates);
    observed = sampled(observed, 50, seed);
    std::vector<double> inverse = observed;
    remove_noise(inverse, rates);
    if (*std::ranges::min_element(inverse) < 0) ++n_outside;
    const std::vector<double> independent{.4, .3, .2, .1};
    const double lambda = seed % 2 == 0 ? 0 : .05;
    const auto moments = recover_table(observed, rates, lambda, independent);
    const double best = objective(observed, rates, lambda, independent, moments);
    constexpr int fine = 40;
    for (int a = 0; a <= fine; ++a) {
      for (int b = 0; a + b <= fine; ++b) {
        for (int c = 0; a + b + c <= fine; ++c) {
          const int d = fine - a - b - c;
          const std::vector<double> point{a / double{fine}, b / double{fine}, c / double{fine},
                                          d / double{fine}};
          EXPECT_LE(best, objective(observed, rates, lambda, independent, point) + 1e-12);
        }
      }
    }
  }
  EXPECT_GT(n_outside, 10U);
}

TEST(Simplex, exponentiated_gradient_alone_comes_to_the_same_tables) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Rates> rates = random_rates(3, seed);
    std::vector<double> observed = random_joint(3, seed);
    apply_noise(observed, rates);
    observed = sampled(observed, 200, seed);
    Eigen::MatrixXd spread(8, 8);
    for (int state = 0; state < 8; ++state) {
      std::vector<double> column(8, 0);
      column[static_cast<std::size_t>(state)] = 1;
      apply_noise(column, rates);
      spread.col(state) = Eigen::Map<Eigen::VectorXd>(column.data(), 8);
    }
    const Eigen::VectorXd counts = Eigen::Map<Eigen::VectorXd>(observed.data(), 8);
    if (counts.minCoeff() <= 0) continue;
    const MixtureFit slow =
        exponentiated_gradient({spread, counts}, Eigen::VectorXd::Constant(8, .125), 1e-7, 200000);
    EXPECT_LE(slow.gap, 1e-7);
    const TableFit fast = fit_table(observed, rates, 0, {});
    EXPECT_LE(fast.gap, 1e-12);
    // Pinsker, about the minimum: |R (mu - nu)|_1 <= sqrt(2 gap) = 4.5e-4, times |R^-1| < 2^3.
    for (int i = 0; i < 8; ++i) {
      EXPECT_NEAR(fast.moments[static_cast<std::size_t>(i)], slow.weights[i], 4e-3);
    }
  }
}

TEST(Simplex, gap_bounds_what_is_left_to_gain) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Rates> rates = random_rates(2, seed);
    std::vector<double> observed = random_joint(2, seed);
    apply_noise(observed, rates);
    const std::vector<double> independent{.25, .25, .25, .25};
    const auto exact = recover_table(observed, rates, .1, independent);
    const double least = objective(observed, rates, .1, independent, exact);
    Eigen::MatrixXd cells(8, 4);
    Eigen::VectorXd counts(8);
    for (int state = 0; state < 4; ++state) {
      std::vector<double> column(4, 0);
      column[static_cast<std::size_t>(state)] = 1;
      apply_noise(column, rates);
      for (int i = 0; i < 4; ++i) {
        cells(i, state) = column[static_cast<std::size_t>(i)];
        cells(4 + i, state) = i == state ? 1 : 0;
        counts[i] = observed[static_cast<std::size_t>(i)];
        counts[4 + i] = .1 * .25;
      }
    }
    for (const std::uint32_t steps : {0U, 1U, 3U, 10U}) {
      const MixtureFit fit =
          exponentiated_gradient({cells, counts}, Eigen::VectorXd::Constant(4, .25), 0, steps);
      const double value =
          objective(observed, rates, .1, independent, {fit.weights.begin(), fit.weights.end()});
      EXPECT_LE(value - least, fit.gap + 1e-14);
      EXPECT_GE(value - least, -1e-14);
    }
  }
}

TEST(Simplex, an_observed_variable_is_its_own_anchor) {
  // Where A = Y the column of a state is the state: that member's P stays as observed.
  const std::vector<Rates> rates{{.1, .7}, {0, 1}};
  const std::vector<double> observed{.5, .02, .28, .2};
  const auto moments = recover_table(observed, rates, 0, {});
  EXPECT_NEAR(moments[0] + moments[1], .52, 1e-9);
  EXPECT_EQ(moments[1], 0);  // P(A = 1 | X = 0) = .02 / .52 is below the noise of .1
  EXPECT_NEAR(moments[3] / (moments[2] + moments[3]), (.2 / .48 - .1) / .6, 1e-7);
}

TEST(Simplex, weights_of_mixtures_with_equal_components_are_found) {
  Eigen::MatrixXd components(3,
                             5);  // the last two are the first two again: the Hessian is singular
  components << .7, .1, .2, .7, .1, .2, .6, .1, .2, .6, .1, .3, .7, .1, .3;
  const Eigen::VectorXd counts = components * Eigen::VectorXd::Constant(5, .2);
  const MixtureFit fit =
      sequential_quadratic({components, counts}, Eigen::VectorXd::Unit(5, 0), 1e-13, 100);
  EXPECT_LE(fit.gap, 1e-13);
  EXPECT_LT((fit.mean - counts).cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace
}  // namespace orrery::anchored
