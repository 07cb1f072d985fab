// Failures where the causes are known: steps that climb, and the top that they climb to.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "families/noisy_or/anchored/loadings/complete_data.hpp"

namespace orrery::anchored {
namespace {

double unit_draw(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1.0p-53;
}

struct DrawnFamily {
  data::BitPanels rows, causes;
};

/// One variable of three causes that depend on one another, `failures` by leak and cause.
DrawnFamily draw(std::size_t n_rows, const std::vector<double>& failures, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  DrawnFamily drawn{data::BitPanels(1, n_rows), data::BitPanels(failures.size() - 1, n_rows)};
  for (std::size_t r = 0; r < n_rows; ++r) {
    double off = failures[0];
    bool before = false;
    for (std::size_t k = 1; k < failures.size(); ++k) {
      before = unit_draw(random) < (before ? .6 : .2);
      drawn.causes.set(r, k - 1, before);
      if (before) off *= failures[k];
    }
    drawn.rows.set(r, 0, unit_draw(random) >= off);
  }
  return drawn;
}

const std::vector<std::uint32_t> first_three{0, 1, 2};

/// By hand: 6 rows. x = 0: {}, {1}; x = 1: {1}, {1, 2}, {1, 2}, {}.
TEST(FamilyLikelihood, rows_are_counted_by_pattern) {
  data::BitPanels rows(1, 6), causes(2, 6);
  const int x[] = {0, 0, 1, 1, 1, 1}, first[] = {0, 1, 1, 1, 1, 0}, second[] = {0, 0, 0, 1, 1, 0};
  for (std::size_t r = 0; r < 6; ++r) {
    rows.set(r, 0, x[r] != 0);
    causes.set(r, 0, first[r] != 0);
    causes.set(r, 1, second[r] != 0);
  }
  const std::vector<std::uint32_t> parents{0, 1};
  const FamilyCounts counts = count_family(rows, 0, causes, parents, 0);
  EXPECT_EQ(counts.absent, (std::vector<double>{2, 1, 0}));
  ASSERT_EQ(counts.n_patterns(), 3U);
  EXPECT_EQ(counts.weight, (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(counts.on, (std::vector<std::uint32_t>{0, 0, 1, 0, 1, 2}));
  const std::vector<double> f{.8, .5, .25};
  EXPECT_NEAR(
      log_likelihood(counts, f),
      2 * std::log(.8) + std::log(.5) + std::log(1 - .8) + std::log(1 - .4) + 2 * std::log(1 - .1),
      1e-14);
  const FamilyCounts smoothed = count_family(rows, 0, causes, parents, .5);
  EXPECT_EQ(smoothed.absent, (std::vector<double>{2.5, 1.5, .5}));
  EXPECT_EQ(smoothed.weight, (std::vector<double>{1.5, 1, 2}));
}

/// Eqs. (24), (25) by hand, of one row x = 1 with both on and one row x = 0 with both on: the leak
/// succeeds first in .2 / .6 of the first, then the cause, .8 * .5 / .6.
TEST(FamilyLikelihood, a_step_counts_first_successes) {
  FamilyCounts counts;
  counts.absent = {1, 1};
  counts.on = {0, 1};
  counts.begin = {0, 2};
  counts.weight = {1};
  const auto next = first_success_step(counts, std::vector<double>{.8, .5});
  EXPECT_NEAR(next[0], 1 - (.2 / .6) / 2, 1e-15);
  EXPECT_NEAR(next[1], 1 - (.4 / .6) / (1 + .4 / .6), 1e-15);
}

TEST(FamilyLikelihood, steps_never_go_down_and_lead_to_the_top_of_newtons) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DrawnFamily drawn = draw(400, {.9, .3, .6, .5}, seed);
    const FamilyCounts counts = count_family(drawn.rows, 0, drawn.causes, first_three, .5);
    std::vector<double> failures(4, .5);
    double value = log_likelihood(counts, failures);
    for (int step = 0; step < 5000; ++step) {
      failures = first_success_step(counts, failures);
      const double next = log_likelihood(counts, failures);
      ASSERT_GE(next, value - 1e-11) << seed;
      value = next;
    }
    const FamilyFit top = maximise(counts, std::vector<double>(4, .5));
    EXPECT_TRUE(top.converged);
    EXPECT_GE(log_likelihood(counts, top.failures), value - 1e-10);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(top.failures[k], failures[k], 1e-5) << seed;
  }
}

/// Where the third cause does nothing, half of the samples have their top at f = 1 exactly.
TEST(FamilyLikelihood, a_cause_without_effect_ends_at_the_edge) {
  std::size_t n_edges = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const DrawnFamily drawn = draw(1000, {.9, .3, .6, 1}, seed);
    const FamilyCounts counts = count_family(drawn.rows, 0, drawn.causes, first_three, 0);
    const FamilyFit top = maximise(counts, std::vector<double>(4, .5));
    EXPECT_TRUE(top.converged);
    n_edges += top.failures[3] == 1;
    // No neighbour of the top is higher.
    const double value = log_likelihood(counts, top.failures);
    for (std::size_t k = 0; k < 4; ++k) {
      for (const double off : {-1e-3, 1e-3}) {
        auto near = top.failures;
        near[k] = std::min(1.0, near[k] + off);
        EXPECT_LE(log_likelihood(counts, near), value + 1e-10);
      }
    }
    EXPECT_EQ(std::isnan(top.errors[3]), top.failures[3] == 1);
  }
  // Binomial(40, 1/2) or so: 5 standard deviations.
  EXPECT_GT(n_edges, 4U);
  EXPECT_LT(n_edges, 36U);
}

/// 200 samples of 2000 rows: deviations in units of their errors have a mean square of 1 within
/// 5 sqrt(2 / 200).
TEST(FamilyLikelihood, errors_are_standard_deviations) {
  const std::vector<double> truth{.9, .3, .6, .5};
  std::vector<double> squares(4, 0);
  constexpr int n = 200;
  for (std::uint64_t seed = 0; seed < n; ++seed) {
    const DrawnFamily drawn = draw(2000, truth, 100 + seed);
    const FamilyFit top =
        maximise(count_family(drawn.rows, 0, drawn.causes, first_three, 0), truth);
    for (std::size_t k = 0; k < 4; ++k) {
      squares[k] += std::pow((top.failures[k] - truth[k]) / top.errors[k], 2) / n;
    }
  }
  for (const double square : squares) EXPECT_NEAR(square, 1, .5);
}

/// A cause that is never on says nothing, one that never fails has f = 0, two that are always on
/// together share what they do: all of it has to end.
TEST(FamilyLikelihood, degenerate_rows_have_a_top) {
  data::BitPanels rows(1, 100), causes(3, 100);
  for (std::size_t r = 0; r < 100; ++r) {
    const bool on = r % 2 == 0;
    causes.set(r, 0, on);
    causes.set(r, 1, on);
    rows.set(r, 0, on || r % 10 == 1);
  }
  for (const double pseudo_rows : {0.0, .5}) {
    const FamilyFit top = maximise(count_family(rows, 0, causes, first_three, pseudo_rows),
                                   std::vector<double>{.5, .4, .6, .5});
    EXPECT_TRUE(top.converged);
    for (const double f : top.failures) EXPECT_TRUE(f >= 0 && f <= 1);
    EXPECT_LT(top.failures[1] * top.failures[2], .02);
    EXPECT_NEAR(top.failures[0], .8, .01);
  }
}

}  // namespace
}  // namespace orrery::anchored
