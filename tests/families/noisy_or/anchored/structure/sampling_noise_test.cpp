#include "families/noisy_or/anchored/structure/sampling_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/noisy_or/anchored/causes.hpp"

namespace orrery::anchored {
namespace {

constexpr std::array<std::uint32_t, 3> all_three{0, 1, 2};

/// P(a) P(b|a) P(c|a): b and c are independent given a; a is bit 0.
std::vector<double> fork_table() {
  const std::array<double, 2> b{.2, .7};
  const std::array<double, 2> c{.6, .3};
  std::vector<double> table;
  for (std::size_t cell = 0; cell < 8; ++cell) {
    const std::size_t a = cell & 1U;
    const double on_b = (cell & 2U) != 0 ? b[a] : 1 - b[a];
    const double on_c = (cell & 4U) != 0 ? c[a] : 1 - c[a];
    table.push_back((a == 1 ? .4 : .6) * on_b * on_c);
  }
  return table;
}

TEST(set_information, is_that_of_tables_done_by_hand) {
  EXPECT_DOUBLE_EQ(entropy(.5), std::log(2));
  EXPECT_EQ(entropy(0), 0);
  EXPECT_EQ(entropy(1), 0);
  const std::vector<double> copies{.5, 0, 0, .5};
  EXPECT_DOUBLE_EQ(information(copies, 0), std::log(2));
  EXPECT_DOUBLE_EQ(conditional_information(copies, 0, 1), std::log(2));
  // z = x xor y of fair coins: no two depend, any two given the third are copies.
  const std::vector<double> parity{.25, 0, 0, .25, 0, .25, .25, 0};
  EXPECT_DOUBLE_EQ(information(parity, 2), std::log(2));
  EXPECT_DOUBLE_EQ(conditional_information(parity, 0, 1), std::log(2));
}

TEST(set_information, obeys_the_chain_rule) {
  const std::vector<double> table = fork_table();
  EXPECT_NEAR(conditional_information(table, 1, 2), 0, 1e-15);
  // I(c; a b) = I(c; a) + I(c; b | a), c = bit 2.
  const std::vector<double> a_and_c{table[0] + table[2], table[1] + table[3], table[4] + table[6],
                                    table[5] + table[7]};
  EXPECT_NEAR(information(table, 2), information(a_and_c, 1) + conditional_information(table, 2, 1),
              1e-14);
}

TEST(sampling_noise, is_that_of_the_causes_themselves_without_noise) {
  const AllRates clear(3, {0, 1});
  const std::vector<double> table = fork_table();
  const SamplingNoise seen(1'000, {});
  const SamplingNoise through(1'000, clear);
  EXPECT_DOUBLE_EQ(seen.parameters(all_three, table, 1), 4);
  EXPECT_NEAR(through.parameters(all_three, table, 1), 4, 1e-9);
  const IndependenceTest one = seen.test(all_three, table, 1, 2, .05);
  const IndependenceTest other = through.test(all_three, table, 1, 2, .05);
  EXPECT_NEAR(one.critical, 5.991, 1e-3);  // chi-square with 2 degrees of freedom
  EXPECT_NEAR(other.critical, one.critical, 1e-9);
  EXPECT_EQ(one.statistic, other.statistic);
}

TEST(sampling_noise, states_that_do_not_occur_test_nothing) {
  std::vector<double> table = fork_table();
  double kept = 0;
  for (std::size_t cell = 0; cell < 8; ++cell) {
    if ((cell & 1U) != 0) table[cell] = 0;
    kept += table[cell];
  }
  for (double& cell : table) cell /= kept;
  const SamplingNoise noise(1'000, {});
  EXPECT_NEAR(noise.test(all_three, table, 1, 2, .05).critical, 3.841, 1e-3);
  EXPECT_TRUE(noise.test(all_three, table, 0, 2, .05).is_independent());
}

/// A network in which cause 0 has two children and 3 stands alone, seen through noisy anchors.
model::CauseNetwork fork_and_one() {
  return model::CauseNetwork({{{}, {.4}}, {{0}, {.2, .7}}, {{0}, {.6, .3}}, {{}, {.5}}});
}
const AllRates noisy{{.05, .8}, {.1, .7}, {.02, .6}, {.1, .9}};
constexpr std::size_t rows_drawn = 4'000;
constexpr std::uint64_t n_repeats = 400;

TEST(sampling_noise, tests_reject_independence_as_often_as_they_say) {
  const SamplingNoise aware(rows_drawn, noisy);
  const SamplingNoise unaware(rows_drawn, {});
  constexpr double alpha = .05;
  std::size_t wrong = 0;
  std::size_t wrong_unaware = 0;
  std::size_t right = 0;
  for (std::uint64_t repeat = 0; repeat < n_repeats; ++repeat) {
    const auto tables =
        recovered_tables(sampled_tables(fork_and_one(), noisy, 3, rows_drawn, repeat), noisy);
    const auto table = tables.table(all_three);
    wrong += aware.test(all_three, table, 1, 2, alpha).is_independent() ? 0 : 1;
    wrong_unaware += unaware.test(all_three, table, 1, 2, alpha).is_independent() ? 0 : 1;
    right += aware.test(all_three, table, 0, 1, alpha).is_independent() ? 0 : 1;
  }
  // 20 of 400 are expected, with a standard deviation of 4.4; the approximation by two moments and
  // the delta method are off by some in the tail: twice as many at most.
  EXPECT_GE(wrong, 5U);
  EXPECT_LE(wrong, 40U);
  EXPECT_GT(wrong_unaware, 150U);  // that is why
  EXPECT_EQ(right, n_repeats);
}

TEST(sampling_noise, parameters_are_what_fitting_gains_where_there_is_nothing_to_fit) {
  // 3 does not depend on 0 and 1: 2 N I(3; 0, 1) is on average what the family's parameters exceed
  // that of 3 alone by.
  constexpr std::array<std::uint32_t, 3> set{0, 1, 3};
  const SamplingNoise noise(rows_drawn, noisy);
  const auto truth = exact_tables(fork_and_one(), 3);
  const double expected = noise.parameters(set, truth.table(set), 2) -
                          noise.parameters(std::array<std::uint32_t, 1>{3},
                                           truth.table(std::array<std::uint32_t, 1>{3}), 0);
  EXPECT_GT(expected, 6);  // 3 without noise
  double sum = 0;
  double squares = 0;
  for (std::uint64_t repeat = 0; repeat < n_repeats; ++repeat) {
    const auto tables = recovered_tables(
        sampled_tables(fork_and_one(), noisy, 3, rows_drawn, 1'000 + repeat), noisy);
    const double statistic = 2 * rows_drawn * information(tables.table(set), 2);
    sum += statistic;
    squares += statistic * statistic;
  }
  const double mean = sum / n_repeats;
  const double error = std::sqrt((squares / n_repeats - mean * mean) / n_repeats);
  // Four standard errors, and 2 % for what the delta method leaves out with 4,000 rows.
  EXPECT_NEAR(mean, expected, 4 * error + .02 * expected);
}

}  // namespace
}  // namespace orrery::anchored
