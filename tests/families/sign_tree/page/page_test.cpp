// Drawings of trees: edges do not cross, all is on the paper, and what differs from a truth is
// said.
#include "families/sign_tree/page/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "report/parts.hpp"
#include "report/read_page.hpp"

namespace orrery::sign_tree {
using report::contains;
using report::ReadPage;
using report::Row;

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

using Curve = std::array<Point, 4>;

/// A point of a cubic Bezier curve.
Point at(const Curve& curve, double t) {
  const double s = 1 - t;
  const std::array<double, 4> weights{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  Point found;
  for (std::size_t k = 0; k < 4; ++k) {
    found.x += weights[k] * curve[k].x;
    found.y += weights[k] * curve[k].y;
  }
  return found;
}

bool cross(const Curve& e, const Curve& f) {
  constexpr int n = 8;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Point a = at(e, i / double{n});
      const Point b = at(e, (i + 1) / double{n});
      const Point c = at(f, j / double{n});
      const Point d = at(f, (j + 1) / double{n});
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
    }
  }
  return false;
}

bool meet(const TreeEdge& e, const TreeEdge& f) {
  return e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b;
}

void expect_readable(const SignTree& tree) {
  const TreeLayout layout = lay_out(tree, 40, 15, 20);
  for (const Point& place : layout.places) {
    EXPECT_GE(place.x, 20 - 1e-6);
    EXPECT_GE(place.y, 20 - 1e-6);
    EXPECT_LE(place.x, layout.width - 20 + 1e-6);
    EXPECT_LE(place.y, layout.height - 20 + 1e-6);
  }
  for (std::size_t a = 0; a < layout.places.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      // On a ring 15 apart along the circle; the chord is a little shorter.
      EXPECT_GT(std::hypot(layout.places[a].x - layout.places[b].x,
                           layout.places[a].y - layout.places[b].y),
                13);
    }
  }
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    for (const std::uint32_t end : {edge.a, edge.b}) {
      const bool there = std::ranges::any_of(
          std::array{layout.curves[e][0], layout.curves[e][3]}, [&](const Point& tip) {
            return std::hypot(tip.x - layout.places[end].x, tip.y - layout.places[end].y) < 1e-6;
          });
      EXPECT_TRUE(there);
    }
    for (std::size_t f = 0; f < e; ++f) {
      if (meet(edge, tree.edges()[f])) continue;
      EXPECT_FALSE(cross(layout.curves[e], layout.curves[f]));
    }
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
  EXPECT_LT(lay_out(chain, 40, 15, 20).width, 1700);  // 4,000 if it were straight
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
  const ReadPage page(tree_html_report(input));
  EXPECT_TRUE(page.says({"T & U"}));
  EXPECT_TRUE(page.says({"3 edges", "4 variables"}));
  EXPECT_TRUE(page.says({"crossover 0.100", "uniform"}));
  EXPECT_TRUE(page.titled("a<b – c").says({"0.500 ± 0.010"}));
  EXPECT_EQ(page.count("path", "positive"), 2U);
  EXPECT_EQ(page.count("path", "negative"), 1U);
  EXPECT_TRUE(page.titled("c – d").top().has_class("negative"));
  EXPECT_EQ(page.count("circle"), 4U);
  const auto width = [&](const char* edge) {
    return page.titled(edge).top().number("stroke-width");
  };
  EXPECT_LT(width("c – d"), width("a<b – c"));
  EXPECT_LT(width("a<b – c"), width("c – e"));
  const std::vector<Row> rows = page.section("Edges").rows();  // the strongest first
  EXPECT_EQ(rows.at(1).at(2), "0.750 ± 0.030");
  EXPECT_EQ(rows.at(2).at(2), "0.500 ± 0.010");
  EXPECT_EQ(rows.at(3).at(3), "-0.160");  // .8^2 .25 of the observed signs
}

TEST(TreePage, shows_what_differs_from_the_truth) {
  const LearnedTree learned = example();
  const SignTree truth({"a<b", "c", "d", "e"}, {}, {{0, 1, .55}, {1, 2, -.2}, {2, 3, .6}}, .1);
  TreeReportInput input;
  input.model = &learned;
  const sign_tree::TreeScores scores = sign_tree::score_tree(learned, truth);
  input.truth = &truth;
  input.scores = &scores;
  const ReadPage page(tree_html_report(input));
  EXPECT_TRUE(page.says({"2 of 3", "right"}));
  EXPECT_TRUE(page.says({"1 wrong", "1 missed"}));
  EXPECT_TRUE(page.says({"KL(truth || learned)"}));
  EXPECT_TRUE(page.says({"0.050"}));  // the largest error: .55 for .5, and .2 for .25
  EXPECT_EQ(page.count("path", "wrong"), 1U);
  EXPECT_EQ(page.titled("c – e").top().attribute("class"), "positive wrong");
  EXPECT_EQ(page.count("path", "lacking"), 1U);
  EXPECT_TRUE(page.titled("d – e").top().has_class("lacking"));
  EXPECT_TRUE(page.titled("d – e").says({"not learned", "0.600"}));
  EXPECT_TRUE(page.has_row({"-"}));
}

TEST(TreePage, does_not_draw_what_nobody_could_read) {
  std::mt19937 random(3);
  LearnedTree learned;
  learned.tree = random_tree(2'001, 1, random);
  TreeReportInput input;
  input.model = &learned;
  const std::string page = tree_html_report(input);
  EXPECT_FALSE(contains(page, "<svg"));
  EXPECT_TRUE(ReadPage(page).says({"2,001 variables", "too many to draw"}));
  EXPECT_TRUE(contains(page, "v2000"));
}

TEST(TreePage, judges_by_standard_errors_and_the_truth) {
  LearnedTree learned;
  learned.tree = SignTree(names(3), {}, {{0, 1, .5}, {1, 2, .25}}, .1);
  learned.learner = "tree";
  TreeReportInput input;
  input.model = &learned;
  EXPECT_EQ(ReadPage(tree_html_report(input)).count("div", "amber"), 1U);  // nothing is known
  learned.edge_errors = {.01, .02};
  EXPECT_EQ(ReadPage(tree_html_report(input)).count("div", "good"), 1U);
  learned.edge_errors = {.01, .2};
  EXPECT_TRUE(ReadPage(tree_html_report(input))
                  .says({"The moment of 1 edge is less than two standard errors"}));
}

}  // namespace
}  // namespace orrery::sign_tree
