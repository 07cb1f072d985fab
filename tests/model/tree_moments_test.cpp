#include "model/tree_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/tree_generators.hpp"
#include "model/tree_oracle.hpp"

namespace orrery::model {
namespace {

using tree_oracle::Ends;

std::vector<std::uint32_t> members(std::size_t set) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; set >> i != 0; ++i) {
    if (((set >> i) & 1U) != 0) list.push_back(i);
  }
  return list;
}

TEST(TreeMoments, every_set_of_every_forest_agrees_with_enumeration) {
  std::mt19937_64 random(21);
  for (std::size_t p = 1; p <= 7; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const bool uniform = random() % 2 == 0;
      const SignTree tree = tree_oracle::with_parameters(p, ends, uniform, .1, random);
      const auto hidden = tree_oracle::hidden_distribution(tree);
      for (std::size_t set = 0; set < hidden.size(); ++set) {
        const double expected = tree_oracle::product_moment(hidden, set);
        ASSERT_NEAR(product_moment(tree, members(set)), expected, 1e-12);
      }
    });
  }
}

TEST(TreeMoments, noisy_moments_agree_with_enumeration) {
  std::mt19937_64 random(22);
  tree_oracle::for_each_forest(5, [&](const std::vector<Ends>& ends) {
    const SignTree tree = tree_oracle::with_parameters(5, ends, random() % 2 == 0, .2, random);
    const auto noisy = tree_oracle::noisy_distribution(tree);
    for (std::size_t set = 0; set < noisy.size(); ++set) {
      ASSERT_NEAR(noisy_product_moment(tree, members(set)), tree_oracle::product_moment(noisy, set),
                  1e-12);
    }
  });
}

/// The edges of a pair's path, by following parents.
std::set<std::uint32_t> path_edges(const SignTree& tree, std::uint32_t a, std::uint32_t b) {
  std::set<std::uint32_t> edges;
  for (std::uint32_t i : {a, b}) {
    for (; tree.parents()[i] != SignTree::none; i = tree.parents()[i]) {
      const std::uint32_t edge = tree.parent_edges()[i];
      if (!edges.insert(edge).second) edges.erase(edge);  // above where the two meet
    }
  }
  return edges;
}

TEST(TreeMoments, paths_of_matched_pairs_share_no_edge_and_are_those_that_split_oddly) {
  std::mt19937_64 random(23);
  for (std::size_t p = 2; p <= 6; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const SignTree tree = tree_oracle::with_parameters(p, ends, true, 0, random);
      for (std::size_t set = 0; set < (std::size_t{1} << p); ++set) {
        const MatchedPairs matched = match_pairs(tree, members(set));
        ASSERT_EQ(2 * matched.pairs.size() + matched.unpaired.size(), members(set).size());
        if (!matched.unpaired.empty()) continue;
        std::set<std::uint32_t> in_pairs;
        std::set<std::uint32_t> used;
        std::size_t n_used = 0;
        for (const auto& [a, b] : matched.pairs) {
          in_pairs.insert({a, b});
          const auto path = path_edges(tree, a, b);
          n_used += path.size();
          used.insert(path.begin(), path.end());
        }
        ASSERT_EQ(n_used, used.size()) << "a shared edge";
        ASSERT_EQ(std::vector<std::uint32_t>(in_pairs.begin(), in_pairs.end()), members(set));
        ASSERT_EQ(std::vector<std::uint32_t>(used.begin(), used.end()), matched.edges);
      }
    });
  }
}

TEST(TreeMoments, a_component_with_an_odd_number_has_moment_0) {
  const SignTree forest({"a", "b", "c", "d"}, {}, {{0, 1, .5}, {2, 3, .25}}, .1);
  const std::vector<std::uint32_t> across{0, 2};
  EXPECT_EQ(product_moment(forest, across), 0);
  EXPECT_EQ(match_pairs(forest, across).unpaired, across);
  EXPECT_EQ(product_moment(forest, std::vector<std::uint32_t>{0, 1, 2, 3}), .125);
}

// Eq. (32), of trees of different shapes; and that |V| cannot be replaced by |V| / 2.
TEST(TreeMoments, trees_that_are_close_in_pairs_are_close_in_all_moments) {
  std::mt19937_64 random(24);
  double tightest = 0;
  for (std::size_t p = 2; p <= 6; ++p) {
    std::vector<Ends> other;
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const SignTree one = tree_oracle::with_parameters(p, ends, true, 0, random);
      const SignTree two = tree_oracle::with_parameters(p, other, true, 0, random);
      const double distance = small_set_distance(one, two).distance;
      for (std::size_t set = 1; set < (std::size_t{1} << p); ++set) {
        const auto list = members(set);
        const double off = std::abs(product_moment(one, list) - product_moment(two, list));
        ASSERT_LE(off, moment_error_bound(list.size(), distance) + 1e-14);
        if (distance > .01) {
          tightest = std::max(tightest, off / (static_cast<double>(list.size()) * distance));
        }
      }
      if (random() % 2 == 0) other = ends;
    });
  }
  EXPECT_GT(tightest, .99);
}

TEST(TreeMoments, errors_of_edges_bound_those_of_moments) {
  std::mt19937_64 random(25);
  std::uniform_real_distribution<double> unit(-1, 1);
  const SignTree tree = generate_tree("tree:recursive:8", 2, {.3, .9, true, 0}).value();
  const std::vector<double> errors(7, .25);
  for (int attempt = 0; attempt < 2000; ++attempt) {
    std::vector<TreeEdge> edges = tree.edges();
    for (TreeEdge& edge : edges) {
      edge.moment = std::clamp(edge.moment + .25 * unit(random), -1.0, 1.0);
    }
    const SignTree other(tree.names(), {}, edges, 0);
    const auto set = members(random() % 256);
    const double off = std::abs(product_moment(tree, set) - product_moment(other, set));
    ASSERT_LE(off, moment_error_bound(tree, set, errors) + 1e-14);
  }
  // Attained by a pair of neighbours.
  const TreeEdge& first = tree.edges()[0];
  EXPECT_EQ(moment_error_bound(tree, std::vector{first.a, first.b}, errors), .25);
}

}  // namespace
}  // namespace orrery::model
