#include "orrery/model/sign_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "model/tree_oracle.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using tree_oracle::Ends;

const std::vector<std::string> four{"a", "b", "c", "d"};

std::string sign_tree_refusal(const std::vector<double>& means, const std::vector<TreeEdge>& edges,
                              double crossover = .1) {
  try {
    (void)SignTree(four, means, edges, crossover);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SignTree, edges_are_sorted_with_the_lower_end_first) {
  const SignTree tree(four, {}, {{3, 1, .5}, {2, 0, -.25}, {1, 0, .75}}, 0);
  EXPECT_EQ(tree.edges(), (std::vector<TreeEdge>{{0, 1, .75}, {0, 2, -.25}, {1, 3, .5}}));
  EXPECT_EQ(tree.means(), std::vector<double>(4, 0));
  EXPECT_TRUE(tree.is_uniform());
}

TEST(SignTree, roots_are_the_first_of_their_component_and_parents_come_first) {
  const SignTree tree(four, {0, 0, 0, .5}, {{1, 3, .25}, {2, 3, .5}}, .25);
  const auto none = SignTree::none;
  EXPECT_EQ(tree.parents(), (std::vector<std::uint32_t>{none, none, 3, 1}));
  EXPECT_EQ(tree.parent_edges(), (std::vector<std::uint32_t>{none, none, 1, 0}));
  EXPECT_EQ(tree.after_parents(), (std::vector<std::uint32_t>{0, 1, 3, 2}));
  EXPECT_FALSE(tree.is_uniform());
}

TEST(SignTree, every_forest_has_an_order_that_puts_parents_first) {
  std::mt19937_64 random(1);
  for (std::size_t p = 1; p <= 6; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const SignTree tree = tree_oracle::with_parameters(p, ends, false, .2, random);
      std::set<std::uint32_t> seen;
      for (const std::uint32_t i : tree.after_parents()) {
        const std::uint32_t parent = tree.parents()[i];
        if (parent != SignTree::none) {
          ASSERT_TRUE(seen.contains(parent));
          const TreeEdge& edge = tree.edges()[tree.parent_edges()[i]];
          ASSERT_EQ((std::set<std::uint32_t>{edge.a, edge.b}),
                    (std::set<std::uint32_t>{i, parent}));
        }
        seen.insert(i);
      }
      ASSERT_EQ(seen.size(), p);
    });
  }
}

TEST(SignTree, there_are_as_many_labelled_trees_as_cayley_says) {
  for (std::size_t p = 2; p <= 7; ++p) {
    std::set<std::vector<Ends>> different;
    tree_oracle::for_each_tree(p, [&](std::vector<Ends> ends) {
      for (Ends& edge : ends)
        edge = {std::min(edge.first, edge.second), std::max(edge.first, edge.second)};
      std::sort(ends.begin(), ends.end());
      different.insert(ends);
    });
    EXPECT_EQ(static_cast<double>(different.size()), std::pow(p, p - 2)) << p;
  }
}

TEST(SignTree, the_distribution_of_the_oracle_is_one_with_the_moments_of_the_tree) {
  std::mt19937_64 random(2);
  for (std::size_t p = 1; p <= 6; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const SignTree tree = tree_oracle::with_parameters(p, ends, p % 2 == 0, .2, random);
      const auto hidden = tree_oracle::hidden_distribution(tree);
      ASSERT_NEAR(std::accumulate(hidden.begin(), hidden.end(), 0.0), 1, 1e-12);
      for (std::size_t i = 0; i < p; ++i) {
        ASSERT_NEAR(tree_oracle::product_moment(hidden, std::size_t{1} << i), tree.means()[i],
                    1e-12);
      }
      for (const TreeEdge& edge : tree.edges()) {
        const std::size_t both = (std::size_t{1} << edge.a) | (std::size_t{1} << edge.b);
        ASSERT_NEAR(tree_oracle::product_moment(hidden, both), edge.moment, 1e-12);
      }
    });
  }
}

TEST(SignTree, correlations_are_those_of_pearson) {
  const SignTree tree(four, {.5, 0, -.25, 0}, {{0, 1, .25}, {0, 2, 0}, {1, 3, -.75}}, 0);
  EXPECT_DOUBLE_EQ(tree.correlation(tree.edges()[0]), .25 / std::sqrt(.75));
  EXPECT_DOUBLE_EQ(tree.correlation(tree.edges()[1]), .125 / std::sqrt((1 - .25) * (1 - .0625)));
  EXPECT_DOUBLE_EQ(tree.correlation(tree.edges()[2]), -.75);
}

TEST(SignTree, moments_rounded_at_their_limit_are_accepted) {
  EXPECT_EQ(sign_tree_refusal({}, {{0, 1, 1}, {1, 2, -1}}), "accepted");
  EXPECT_EQ(sign_tree_refusal({.1, .3, 0, 0}, {{0, 1, .8 + 1e-12}}), "accepted");
}

TEST(SignTree, what_is_no_tree_is_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(sign_tree_refusal({0, 0, 0}, {}), "3 means of 4 variables");
  for (const double q : {-.01, .5, 1.0, nan}) {
    EXPECT_NE(sign_tree_refusal({}, {}, q).find("crossover = "), std::string::npos) << q;
  }
  for (const double mean : {-1.0, 1.0, nan}) {
    EXPECT_NE(sign_tree_refusal({0, 0, mean, 0}, {}).find("variables[2].mean"), std::string::npos)
        << mean;
  }
  for (const double moment : {-1.001, 1.001, nan}) {
    EXPECT_NE(sign_tree_refusal({}, {{0, 1, .5}, {1, 2, moment}}).find("edges[1].moment"),
              std::string::npos)
        << moment;
  }
  EXPECT_NE(sign_tree_refusal({.5, -.5, 0, 0}, {{0, 1, .25}}).find("between -1 and 0"),
            std::string::npos);
  EXPECT_NE(sign_tree_refusal({}, {{0, 4, .5}}).find("edges[0] joins variable 4"),
            std::string::npos);
  EXPECT_NE(sign_tree_refusal({}, {{2, 2, .5}}).find("to itself"), std::string::npos);
  EXPECT_NE(sign_tree_refusal({}, {{0, 1, .5}, {1, 0, .5}}).find("closes a cycle"),
            std::string::npos);
  EXPECT_NE(sign_tree_refusal({}, {{0, 1, .5}, {1, 2, .5}, {2, 0, .5}}).find("closes a cycle"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::model
