// Noise that differs between variables: what is drawn, and what nobody can tell from it.
#include "families/sign_tree/unequal_noise.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/tree_oracle.hpp"
#include "orrery/model/tree_sampling.hpp"

namespace orrery::sign_tree {
namespace {

using model::SignTree;
using model::TreeEdge;

std::vector<std::string> names(std::size_t p) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < p; ++i) names.push_back(fmt::format("x{}", i));
  return names;
}

/// P(y) of all observed states; 1 - 2 q of each variable.
std::vector<double> observed(const SignTree& tree, const std::vector<double>& keep) {
  const auto hidden = model::tree_oracle::hidden_distribution(tree);
  std::vector<double> of(hidden.size(), 0);
  for (std::size_t x = 0; x < hidden.size(); ++x) {
    for (std::size_t y = 0; y < hidden.size(); ++y) {
      double channel = 1;
      for (std::size_t i = 0; i < keep.size(); ++i) {
        channel *= ((x ^ y) >> i & 1U) != 0 ? (1 - keep[i]) / 2 : (1 + keep[i]) / 2;
      }
      of[y] += hidden[x] * channel;
    }
  }
  return of;
}

TEST(UnequalNoise, a_leaf_and_its_neighbour_may_change_places) {
  // x0 - x1 - x2 with a leaf x3 at x1 and a leaf x4 at x2; x3 and x1 change places.
  const SignTree tree(names(5), {}, {{0, 1, .7}, {1, 2, -.5}, {1, 3, .6}, {2, 4, .8}}, 0);
  const std::vector<double> keep{.9, .8, .7, .5, .6};
  const SignTree other(names(5), {}, {{0, 3, .7}, {3, 2, -.5}, {3, 1, .8}, {2, 4, .8}}, 0);
  const std::vector<double> other_keep{.9, 1, .7, .5 * .6, .6};
  const auto one = observed(tree, keep);
  const auto two = observed(other, other_keep);
  for (std::size_t y = 0; y < one.size(); ++y) ASSERT_NEAR(one[y], two[y], 1e-15);
  // With one crossover for all, the exchanged tree is another distribution.
  const auto equal = observed(tree, std::vector<double>(5, .8));
  const auto exchanged = observed(other, std::vector<double>(5, .8));
  double farthest = 0;
  for (std::size_t y = 0; y < equal.size(); ++y) {
    farthest = std::max(farthest, std::abs(equal[y] - exchanged[y]));
  }
  EXPECT_GT(farthest, .01);
}

TEST(UnequalNoise, a_variable_between_others_tells_its_own_crossover) {
  const SignTree tree(names(4), {}, {{0, 1, .7}, {1, 2, -.5}, {2, 3, .6}}, 0);
  const std::vector<double> keep{.9, .8, .7, .5};
  const auto of = observed(tree, keep);
  const auto moment = [&](std::size_t a, std::size_t b) {
    return model::tree_oracle::product_moment(of, (std::size_t{1} << a) | (std::size_t{1} << b));
  };
  EXPECT_NEAR(moment(0, 1) * moment(1, 2) / moment(0, 2), .8 * .8, 1e-14);
  EXPECT_NEAR(moment(0, 1) * moment(1, 3) / moment(0, 3), .8 * .8, 1e-14);
  EXPECT_NEAR(moment(1, 2) * moment(2, 3) / moment(1, 3), .7 * .7, 1e-14);
}

TEST(UnequalNoise, shares_of_all_rows_are_those_of_the_distribution) {
  const SignTree tree(names(4), {}, {{0, 1, .7}, {1, 2, -.5}, {2, 3, .6}}, 0);
  const std::vector<double> crossovers{.05, 0, .3, .2};
  constexpr std::size_t n = 200000;
  // In parts, as ranks draw them.
  std::vector<double> share(16, 0);
  for (const auto& [first, n_rows] : {std::pair{0U, 70000U}, std::pair{70000U, 130000U}}) {
    data::BitColumns rows = model::sample_hidden_rows(tree, 3, first, n_rows);
    flip_each(rows, crossovers, 3, first);
    for (std::size_t r = 0; r < n_rows; ++r) {
      std::size_t y = 0;
      for (std::size_t i = 0; i < 4; ++i) y |= std::size_t{rows.at(r, i)} << i;
      share[y] += 1.0 / n;
    }
  }
  const auto expected = observed(tree, {.9, 1, .4, .6});
  for (std::size_t y = 0; y < 16; ++y) {  // five standard deviations
    EXPECT_NEAR(share[y], expected[y], 5 * std::sqrt(expected[y] / n)) << y;
  }
}

TEST(UnequalNoise, of_one_size_is_the_noise_of_one_crossover) {
  const SignTree tree(names(70), {}, {{0, 1, .7}, {1, 69, -.5}, {2, 3, .6}}, .2);
  data::BitColumns rows = model::sample_hidden_rows(tree, 9, 100, 333);
  flip_each(rows, std::vector<double>(70, .2), 9, 100);
  const data::BitColumns expected = model::sample_tree_rows(tree, 9, 100, 333);
  EXPECT_TRUE(std::ranges::equal(rows.words(), expected.words()));
}

TEST(UnequalNoise, crossovers_are_drawn_between_the_two_and_do_not_depend_on_how_many) {
  const auto some = draw_crossovers(10, .1, .3, 4);
  const auto more = draw_crossovers(1000, .1, .3, 4);
  EXPECT_TRUE(std::ranges::equal(some, std::span(more).first(10)));
  const auto [low, high] = std::ranges::minmax(more);
  EXPECT_GE(low, .1);
  EXPECT_LT(low, .102);
  EXPECT_LE(high, .3);
  EXPECT_GT(high, .298);
  EXPECT_NE(some, draw_crossovers(10, .1, .3, 5));
}

TEST(UnequalNoise, the_file_says_that_its_crossover_is_a_mean) {
  model::LearnedTree learned;
  learned.tree = SignTree(names(2), {}, {{0, 1, .5}}, .4);
  learned.remarks = {"another remark"};
  describe_noise(std::vector<double>{.1, .2}, learned);
  EXPECT_NEAR(learned.tree.crossover(), .15, 1e-15);
  ASSERT_EQ(learned.remarks.size(), 2U);
  EXPECT_NE(learned.remarks[1].find("0.1 to 0.2"), std::string::npos);
  describe_noise({}, learned);
  EXPECT_EQ(learned.remarks, std::vector<std::string>{"another remark"});
}

}  // namespace
}  // namespace orrery::sign_tree
