#include "families/sign_tree/scores/scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/tree_oracle.hpp"
#include "orrery/base/error.hpp"

namespace orrery::sign_tree {
namespace {

using model::LearnedTree;
using model::SignTree;
using EdgeEnds = std::vector<TreeScores::Ends>;
using TreeEnds = std::vector<model::tree_oracle::Ends>;

LearnedTree learned_tree() {
  LearnedTree learned;
  learned.tree = SignTree({"c", "a", "b", "d"}, {.5, 0, 0, -.25},
                          {{0, 1, .25}, {1, 2, .5}, {2, 3, -.125}}, .1);
  learned.edge_errors = {.01, .02, .03};
  learned.crossover_error = .5;
  learned.learner = "tree";
  return learned;
}

TEST(TreeScores, variables_are_matched_by_name_or_else_by_position) {
  const SignTree tree = learned_tree().tree;
  EXPECT_EQ(align_variables(tree, {"a", "b", "c", "d"}, "f"),
            (std::vector<std::size_t>{2, 0, 1, 3}));
  EXPECT_EQ(align_variables(tree, {"a", "b", "c", "e"}, "f"),
            (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(align_variables(tree, {"a", "b", "d", "d"}, "f"),
            (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_THROW((void)align_variables(tree, {"a", "b", "c"}, "f"), InputError);
}

TEST(TreeScores, moved_variables_keep_their_means_edges_and_errors) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const LearnedTree moved = moved_variables(learned_tree(), {2, 0, 1, 3}, names);
  EXPECT_EQ(moved.tree.names(), names);
  EXPECT_EQ(moved.tree.means(), (std::vector<double>{0, 0, .5, -.25}));
  EXPECT_EQ(moved.tree.edges(),
            (std::vector<model::TreeEdge>{{0, 1, .5}, {0, 2, .25}, {1, 3, -.125}}));
  EXPECT_EQ(moved.edge_errors, (std::vector<double>{.02, .01, .03}));
  EXPECT_EQ(moved.tree.crossover(), .1);
  EXPECT_EQ(moved.crossover_error, .5);
  EXPECT_EQ(moved.learner, "tree");
}

TEST(TreeScores, edges_are_told_apart_and_intervals_counted) {
  LearnedTree learned;
  learned.tree = SignTree({"a", "b", "c", "d"}, {}, {{0, 1, .5}, {1, 2, .25}, {0, 3, .75}}, 0);
  learned.edge_errors = {.1, .1, std::nan("")};  // of a - b, a - d, b - c
  const SignTree truth({"a", "b", "c", "d"}, {}, {{0, 1, .25}, {1, 2, .25}, {2, 3, .5}}, .2);
  TreeScores scores = score_tree(learned, truth);
  EXPECT_EQ(scores.missing, (EdgeEnds{{2, 3}}));
  EXPECT_EQ(scores.wrong, (EdgeEnds{{0, 3}}));
  EXPECT_FALSE(scores.exact());
  EXPECT_EQ(scores.largest_moment_error, .25);
  EXPECT_EQ(scores.n_with_error, 1U);  // of the edges that both have: a - b
  EXPECT_EQ(scores.n_covered, 0U);
  // E[X_a X_d]: .75 learned; .25 .25 .5 in truth.
  EXPECT_DOUBLE_EQ(scores.small_set.distance, (.75 - .03125) / 2);
  EXPECT_EQ(scores.small_set.pair, (TreeScores::Ends{0, 3}));
  learned.edge_errors[0] = .2;
  EXPECT_EQ(score_tree(learned, truth).n_covered, 1U);
  learned.tree = truth;
  scores = score_tree(learned, truth);
  EXPECT_TRUE(scores.exact());
  EXPECT_EQ(scores.small_set.distance, 0);
  EXPECT_NEAR(scores.kl_from_truth, 0, 1e-15);
}

/// All trees that exchanges of a leaf and its neighbour lead to, as sorted lists of edges.
std::set<TreeEnds> exchanged(const TreeEnds& tree) {
  const auto sorted = [](TreeEnds edges) {
    for (auto& [a, b] : edges) {
      if (a > b) std::swap(a, b);
    }
    std::ranges::sort(edges);
    return edges;
  };
  std::set<TreeEnds> found{sorted(tree)};
  std::vector<TreeEnds> open{sorted(tree)};
  while (!open.empty()) {
    const TreeEnds here = open.back();
    open.pop_back();
    for (const auto& [a, b] : here) {
      const auto degree = [&](std::uint32_t v) {
        return std::ranges::count_if(
            here, [v](const auto& edge) { return edge.first == v || edge.second == v; });
      };
      if (degree(a) != 1 && degree(b) != 1) continue;
      TreeEnds next = here;
      for (auto& edge : next) {
        for (std::uint32_t* end : {&edge.first, &edge.second}) {
          if (*end == a || *end == b) *end = a + b - *end;
        }
      }
      if (found.insert(sorted(next)).second) open.push_back(sorted(next));
    }
  }
  return found;
}

TEST(TreeScores, trees_are_the_same_up_to_leaves_if_exchanges_lead_from_one_to_the_other) {
  std::mt19937_64 random(7);
  for (std::size_t p = 1; p <= 6; ++p) {
    std::vector<TreeEnds> all;
    model::tree_oracle::for_each_forest(p, [&](const TreeEnds& ends) {
      if (p < 6 || random() % 32 == 0) all.push_back(ends);
    });
    std::size_t n_alike = 0;
    for (const TreeEnds& one : all) {
      const auto alike = exchanged(one);
      const SignTree of_one = model::tree_oracle::with_parameters(p, one, true, 0, random);
      for (const TreeEnds& other : all) {
        const SignTree of_other = model::tree_oracle::with_parameters(p, other, true, 0, random);
        TreeEnds edges;
        for (const model::TreeEdge& edge : of_other.edges()) edges.emplace_back(edge.a, edge.b);
        ASSERT_EQ(same_up_to_leaves(of_one, of_other), alike.contains(edges));
        if (alike.contains(edges)) ++n_alike;
      }
    }
    EXPECT_GE(n_alike, all.size());
    if (p > 2) {
      EXPECT_GT(n_alike, all.size());
    }
  }
}

TEST(TreeScores, symmetric_kl_is_eq_33_for_trees_with_means_of_0) {
  std::mt19937_64 random(6);
  for (std::size_t p = 1; p <= 6; ++p) {
    TreeEnds other;
    model::tree_oracle::for_each_forest(p, [&](const TreeEnds& ends) {
      const SignTree one = model::tree_oracle::with_parameters(p, ends, true, 0, random);
      const SignTree two = model::tree_oracle::with_parameters(p, other, true, 0, random);
      const double both = model::kl_divergence(one, two) + model::kl_divergence(two, one);
      ASSERT_NEAR(symmetric_kl_by_interactions(one, two), both, 1e-10 * (1 + both));
      if (random() % 2 == 0) other = ends;
    });
  }
  const SignTree equal({"a", "b"}, {}, {{0, 1, 1}}, 0);
  EXPECT_EQ(symmetric_kl_by_interactions(equal, equal), 0);
  EXPECT_TRUE(std::isinf(symmetric_kl_by_interactions(equal, SignTree({"a", "b"}, {}, {}, 0))));
  LearnedTree learned;
  learned.tree = equal;
  EXPECT_EQ(score_tree(learned, equal).symmetric_kl_by_interactions, 0);
  learned.tree = SignTree({"a", "b"}, {.1, 0}, {}, 0);
  EXPECT_FALSE(score_tree(learned, equal).symmetric_kl_by_interactions.has_value());
}

}  // namespace
}  // namespace orrery::sign_tree
