#include "orrery/model/tree_sampling.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "model/block_words.hpp"
#include "model/tree_oracle.hpp"

namespace orrery::model {
namespace {

// A star, a chain and a lone variable; free means, moments of either sign and at their limit.
SignTree varied(double crossover) {
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back(fmt::format("x{}", i));
  return {names,
          {.3, 0, -.6, .9, .1, -.4},
          {{0, 1, .5}, {1, 2, -.4}, {1, 3, 0.05}, {3, 4, .2}},
          crossover};
}

// Shares of all 2^p rows. The share of N rows is within 5 standard deviations of its expectation
// but for one in 1.7 million: 64 shares and few calls leave that as it is.
void expect_shares(const data::BitColumns& block, const std::vector<double>& expected) {
  std::vector<double> share(expected.size(), 0);
  const auto n_rows = static_cast<double>(block.n_rows());
  for (std::size_t r = 0; r < block.n_rows(); ++r) {
    std::size_t state = 0;
    for (std::size_t i = 0; i < block.n_columns(); ++i) {
      state |= std::size_t{block.at(r, i)} << i;
    }
    share[state] += 1 / n_rows;
  }
  for (std::size_t x = 0; x < expected.size(); ++x) {
    const double share_of_one = std::max(0.0, expected[x]);  // a limit's cell, rounded
    EXPECT_NEAR(share[x], share_of_one, 5 * std::sqrt(share_of_one * (1 - share_of_one) / n_rows))
        << x;
  }
}

TEST(TreeSampling, shares_of_all_rows_are_those_of_the_distribution) {
  for (const double crossover : {0.0, .2}) {
    const SignTree tree = varied(crossover);
    expect_shares(sample_tree_rows(tree, 3, 0, 400000), tree_oracle::noisy_distribution(tree));
    expect_shares(sample_hidden_rows(tree, 3, 0, 400000), tree_oracle::hidden_distribution(tree));
  }
}

TEST(TreeSampling, hidden_signs_do_not_depend_on_the_crossover) {
  const auto hidden = sample_hidden_rows(varied(.4), 5, 0, 1000);
  EXPECT_EQ(words(hidden), words(sample_tree_rows(varied(0), 5, 0, 1000)));
  EXPECT_NE(words(hidden), words(sample_tree_rows(varied(.4), 5, 0, 1000)));
}

TEST(TreeSampling, the_noise_does_not_depend_on_the_hidden_signs) {
  // Share of flips given the hidden row: q in every one of them.
  const SignTree tree = varied(.3);
  const auto hidden = sample_hidden_rows(tree, 7, 0, 200000);
  const auto noisy = sample_tree_rows(tree, 7, 0, 200000);
  for (std::size_t i = 0; i < 6; ++i) {
    double rows[2] = {0, 0};
    double flips[2] = {0, 0};
    for (std::size_t r = 0; r < hidden.n_rows(); ++r) {
      rows[hidden.at(r, i)] += 1;
      if (hidden.at(r, i) != noisy.at(r, i)) flips[hidden.at(r, i)] += 1;
    }
    for (int x = 0; x < 2; ++x) {
      EXPECT_NEAR(flips[x] / rows[x], .3, 5 * std::sqrt(.21 / rows[x])) << i;
    }
  }
}

TEST(TreeSampling, a_row_depends_on_the_seed_and_its_number_alone) {
  const SignTree tree = varied(.2);
  const auto all = sample_tree_rows(tree, 9, 0, 300);
  const auto part = sample_tree_rows(tree, 9, 100, 77);
  for (std::size_t r = 0; r < 77; ++r) {
    for (std::size_t i = 0; i < 6; ++i) ASSERT_EQ(part.at(r, i), all.at(100 + r, i));
  }
  EXPECT_NE(words(all), words(sample_tree_rows(tree, 10, 0, 300)));
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  EXPECT_EQ(words(all), words(sample_tree_rows(tree, 9, 0, 300)));
  omp_set_num_threads(threads);
}

TEST(TreeSampling, bits_beyond_the_last_row_are_zero) {
  const auto block = sample_tree_rows(varied(.2), 1, 0, 70);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(block.column(i)[1] >> 6U, 0U);
}

}  // namespace
}  // namespace orrery::model
