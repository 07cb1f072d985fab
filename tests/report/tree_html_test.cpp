// Drawings of trees: edges do not cross, all is on the paper, and what differs from a truth is
// said.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "orrery/report/tree_report.hpp"
#include "report/parts.hpp"
#include "report/tree_layout.hpp"

namespace orrery::report {
namespace {

using model::LearnedTree;
using model::SignTree;
using model::TreeEdge;

std::vector<std::string> names(std::size_t p) {
  std::vector<std::string> found;
  for (std::size_t a = 0; a < p; ++a) found.push_back(fmt::format("v{}", a));
  return found;
}

/// Of P variables, the i-th joined to one of those before it, but for `n_roots` that begin a tree.
SignTree random_tree(std::uint32_t p, std::uint32_t n_roots, std::mt19937& random) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t b = n_roots; b < p; ++b) {
    edges.push_back({static_cast<std::uint32_t>(random() % b), b, .5});
  }
  return {names(p), {}, edges, .1};
}

double side(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool cross(const TreeEdge& e, const TreeEdge& f, const std::vector<Point>& at) {
  if (e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b) return false;
  return side(at[e.a], at[e.b], at[f.a]) * side(at[e.a], at[e.b], at[f.b]) < 0 &&
         side(at[f.a], at[f.b], at[e.a]) * side(at[f.a], at[f.b], at[e.b]) < 0;
}

void expect_readable(const SignTree& tree) {
  const TreeLayout layout = lay_out(tree, 40, 20);
  for (const Point& at : layout.places) {
    EXPECT_GE(at.x, 20 - 1e-6);
    EXPECT_GE(at.y, 20 - 1e-6);
    EXPECT_LE(at.x, layout.width - 20 + 1e-6);
    EXPECT_LE(at.y, layout.height - 20 + 1e-6);
  }
  for (const TreeEdge& e : tree.edges()) {
    EXPECT_NEAR(std::hypot(layout.places[e.a].x - layout.places[e.b].x,
                           layout.places[e.a].y - layout.places[e.b].y),
                40, 1e-6);
    for (const TreeEdge& f : tree.edges()) EXPECT_FALSE(cross(e, f, layout.places));
  }
}

TEST(TreeLayout, edges_do_not_cross) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    expect_readable(random_tree(static_cast<std::uint32_t>(2 + random() % 60), 1, random));
  }
  for (int i = 0; i < 50; ++i) {
    expect_readable(random_tree(static_cast<std::uint32_t>(20 + random() % 40), 7, random));
  }
}

TEST(TreeLayout, a_path_is_an_arc_and_a_star_a_ring) {
  std::vector<TreeEdge> path;
  std::vector<TreeEdge> star;
  for (std::uint32_t b = 1; b < 100; ++b) {
    path.push_back({b - 1, b, .5});
    star.push_back({0, b, .5});
  }
  const SignTree chain(names(100), {}, path, 0);
  expect_readable(chain);
  expect_readable({names(100), {}, star, 0});
  EXPECT_LT(lay_out(chain, 40, 20).width, 1700);  // 4,000 if it were straight
  expect_readable({names(3), {}, {}, 0});
}

LearnedTree example() {
  LearnedTree learned;
  learned.tree = SignTree({"a<b", "c", "d", "e"}, {}, {{0, 1, .5}, {1, 2, -.25}, {1, 3, .75}}, .1);
  learned.edge_errors = {.01, .02, .03};
  learned.n_samples = 1000;
  learned.learner = "tree";
  return learned;
}

TEST(TreePage, tells_edges_signs_and_errors) {
  const LearnedTree learned = example();
  TreeReportInput input;
  input.model = &learned;
  input.title = "T & U";
  const std::string page = tree_html_report(input);
  EXPECT_TRUE(contains(page, "<h1>T &amp; U</h1>"));
  EXPECT_TRUE(contains(page, "3 edges among 4 variables"));
  EXPECT_TRUE(contains(page, "crossover 0.100, uniform marginals"));
  EXPECT_TRUE(contains(page, "a&lt;b &#8211; c: 0.500 ± 0.010"));
  EXPECT_EQ(count(page, "class=\"negative\""), 1U);
  EXPECT_EQ(count(page, "<line class=\"positive\""), 2U);
  EXPECT_EQ(count(page, "<circle"), 4U);
  EXPECT_TRUE(contains(page, "<td class=\"n\">-0.160</td>"));       // .8^2 .25 of the observed signs
  EXPECT_LT(page.find("0.750 ± 0.030"), page.rfind("0.500 ± 0.010"));  // the strongest first
}

TEST(TreePage, shows_what_differs_from_the_truth) {
  const LearnedTree learned = example();
  const SignTree truth({"a<b", "c", "d", "e"}, {}, {{0, 1, .55}, {1, 2, -.2}, {2, 3, .6}}, .1);
  TreeReportInput input;
  input.model = &learned;
  const evaluate::TreeScores scores = evaluate::score_tree(learned, truth);
  input.truth = &truth;
  input.scores = &scores;
  const std::string page = tree_html_report(input);
  EXPECT_TRUE(contains(page, "2 of 3 edges right"));
  EXPECT_TRUE(contains(page, "1 wrong"));
  EXPECT_TRUE(contains(page, "1 missed"));
  EXPECT_TRUE(contains(page, "KL(truth || learned)"));
  EXPECT_TRUE(contains(page, "0.050"));  // the largest error: .55 for .5, and .2 for .25
  EXPECT_EQ(count(page, "<line class=\"positive wrong\""), 1U);
  EXPECT_EQ(count(page, "<line class=\"lacking\""), 1U);
  EXPECT_TRUE(contains(page, "d &#8211; e: not learned; true moment 0.600"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">no edge</td>"));
}

TEST(TreePage, does_not_draw_what_nobody_could_read) {
  std::mt19937 random(3);
  LearnedTree learned;
  learned.tree = random_tree(2'001, 1, random);
  TreeReportInput input;
  input.model = &learned;
  const std::string page = tree_html_report(input);
  EXPECT_FALSE(contains(page, "<svg"));
  EXPECT_TRUE(contains(page, "2,001 variables are too many to draw"));
  EXPECT_TRUE(contains(page, "v2000"));
}

}  // namespace
}  // namespace orrery::report
