// The page of an anchored network: the graph of its causes, anchors, and nothing that is no number.
#include "families/noisy_or/page/anchored_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "model/anchored_examples.hpp"
#include "report/parts.hpp"
#include "report/read_drawing.hpp"
#include "report/read_page.hpp"

namespace orrery::noisy_or {
using report::contains;
using report::ReadPage;

namespace {

using model::CauseNetwork;
using model::CauseTable;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::anchored_examples::learned_anchored_example;
using model::anchored_examples::three_causes;

std::string page_of(const LearnedModel& learned) {
  AnchoredReportInput input;
  input.model = &learned;
  input.title = "T & U";
  return anchored_html_report(input);
}

std::string page_of(const LearnedModel& learned, const NoisyOrNetwork& truth) {
  const noisy_or::AnchoredScores scores = noisy_or::score_anchored(learned, truth);
  AnchoredReportInput input;
  input.model = &learned;
  input.truth = &truth;
  input.scores = &scores;
  return anchored_html_report(input);
}

TEST(AnchoredPage, tells_anchors_priors_loadings_and_how_causes_depend) {
  const ReadPage page(page_of(learned_anchored_example()));
  EXPECT_TRUE(page.says({"T & U"}));
  EXPECT_TRUE(page.says({"3 causes", "5 variables"}));
  EXPECT_TRUE(page.says({"3 anchors", "6 loadings", "3 edges", "10,000 samples"}));
  EXPECT_TRUE(page.says({"k's anchors say"}));
  EXPECT_TRUE(page.titled("h → g").says({"0.602"}));
  EXPECT_EQ(page.titled("h → g").top().attribute("class"), "positive");
  EXPECT_EQ(page.titled("h → g").count("path", "bar"), 0U);
  EXPECT_EQ(page.count("g", "negative"), 2U);
  EXPECT_EQ(page.count("path", "bar"), 2U);
  EXPECT_TRUE(page.titled("h: ").says({"0.250"}));
  // Each anchor with its rates; the error that is not known is not told.
  EXPECT_TRUE(page.has_row({"h", "a 0.062 | 0.750, given", "0.250 ± 0.010"}));
  EXPECT_TRUE(page.has_row({"g", "b or c 0.125 ± 0.010 | 0.562, two anchors"}));
  // 1 - failure; the anchor itself is not among them.
  EXPECT_TRUE(page.has_row({"x 0.500 ± 0.020"}));
  EXPECT_FALSE(page.says({"not true"}));
  EXPECT_EQ(page.count("svg", "scatter"), 0U);
}

/// Causes that are joined as `tables` say, each with an anchor and a child.
NoisyOrNetwork joined(std::vector<CauseTable> tables, double failure = .5) {
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  std::vector<model::Anchor> anchors;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    causes.push_back({fmt::format("y{}", i), .5});
    for (const std::uint32_t j : {2 * i, 2 * i + 1}) {
      observed.push_back({fmt::format("x{}", j), .125});
      edges.push_back({i, j, failure});
    }
    anchors.push_back({i, 2 * i});
  }
  return {NoisyOrNetwork(causes, observed, edges), CauseNetwork(std::move(tables)), anchors};
}

/// Loadings of a kind that stand at these failures, by the numbers along the axes.
std::size_t points(const ReadPage& page, const std::string& kind, double truth, double learned) {
  const ReadPage plot = page.titled("Failures");
  const double x = report::on_axis_across(plot, truth);
  const double y = report::on_axis_up(plot, learned);
  return static_cast<std::size_t>(
      std::ranges::count_if(plot.all("circle", kind), [&](const report::Element& circle) {
        const report::Point at = report::place_of(circle);
        return std::hypot(at.x - x, at.y - y) < .2;
      }));
}

TEST(AnchoredPage, marks_edges_that_are_wrong_and_that_are_missed) {
  const CauseTable root{{}, {.5}};
  const std::vector<double> up{.25, .75};
  const std::vector<double> down{.75, .25};
  LearnedModel learned;
  learned.network = joined({root, {{0}, up}, {{0}, down}, {{1}, up}});
  // 0 - 1 the other way round is right; 0 - 2 is not there; 2 - 3 was not learned.
  const NoisyOrNetwork truth =
      joined({{{1}, up}, root, root, {{1, 2}, {.25, .5, .125, .375}}}, .25);
  const ReadPage page(page_of(learned, truth));
  EXPECT_TRUE(page.says({"2 of 3", "edges"}));
  EXPECT_TRUE(page.says({"1 wrong", "1 missed"}));
  EXPECT_EQ(page.titled("y0 → y1").top().attribute("class"), "positive");
  EXPECT_EQ(page.titled("y0 → y2").top().attribute("class"), "negative wrong");
  EXPECT_TRUE(page.titled("y0 → y2").says({"-0.500", "not true"}));
  EXPECT_EQ(page.titled("y2 → y3").top().attribute("class"), "negative lacking");
  EXPECT_TRUE(page.titled("y2 → y3").says({"not learned", "true"}));
  EXPECT_EQ(page.count("g", "wrong"), 1U);
  EXPECT_EQ(page.count("g", "lacking"), 1U);
  EXPECT_TRUE(page.says({"precision 0.667", "recall 0.667"}));
  const std::vector<report::Row> edges = page.section("Edges among causes").rows();
  ASSERT_EQ(edges.size(), 1U + 3);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    EXPECT_EQ(edges[i].back(), edges[i][0] == "y0" && edges[i][1] == "y2" ? "no" : "yes");
  }
  // Failures of .5 that are .25 in truth: 8 loadings, half of them of anchors.
  EXPECT_EQ(points(page, "anchor", .25, .5), 4U);
  EXPECT_EQ(points(page, "found", .25, .5), 4U);
}

TEST(AnchoredPage, points_stand_at_the_edge_where_one_network_has_no_loading) {
  LearnedModel learned;
  learned.network = joined({{{}, {.5}}, {{}, {.5}}});
  const NoisyOrNetwork truth(
      NoisyOrNetwork({{"y0", .5}, {"y1", .5}},
                     {{"x0", .125}, {"x1", .125}, {"x2", .125}, {"x3", .125}},
                     {{0, 0, .5}, {0, 2, .25}, {1, 2, .5}, {1, 3, .5}}),
      CauseNetwork({{{}, {.5}}, {{}, {.5}}}), {{0, 0}, {1, 2}});
  const ReadPage page(page_of(learned, truth));
  EXPECT_EQ(points(page, "wrong", 1, .5), 1U);
  EXPECT_TRUE(page.titled("y0 → x1").top().has_class("wrong"));
  EXPECT_TRUE(page.titled("y0 → x1").says({"learned 0.500", "true no edge"}));
  EXPECT_EQ(points(page, "lacking", .25, 1), 1U);
  EXPECT_TRUE(page.titled("y0 → x2").top().has_class("lacking"));
  EXPECT_TRUE(page.titled("y0 → x2").says({"learned no edge", "true 0.250"}));
}

TEST(AnchoredPage, does_not_draw_what_nobody_could_read) {
  LearnedModel many;
  many.network = joined(std::vector<CauseTable>(151, {{}, {.5}}));
  EXPECT_FALSE(contains(page_of(many), "class=\"graph dag\""));
  EXPECT_TRUE(ReadPage(page_of(many)).says({"151 causes", "too many to draw"}));
  LearnedModel fewer;
  fewer.network = joined(std::vector<CauseTable>(150, {{}, {.5}}));
  EXPECT_TRUE(contains(page_of(fewer), "class=\"graph dag\""));
}

TEST(AnchoredPage, has_no_values_that_are_none) {
  LearnedModel silent;  // a cause that never is, one without anchor and children
  silent.network =
      NoisyOrNetwork(NoisyOrNetwork({{"<y>", 0}, {"z", 0}}, {{"a&b", .5}}, {{0, 0, .5}}),
                     CauseNetwork({{{}, {0.0}}, {{0}, {.25, .5}}}), {{0, 0}});
  LearnedModel unknown = learned_anchored_example();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  unknown.errors.failure.assign(6, nan);
  for (const LearnedModel& learned : {silent, unknown}) {
    for (const std::string& page : {page_of(learned), page_of(learned, learned.network)}) {
      EXPECT_FALSE(contains(page, "nan"));
      EXPECT_FALSE(contains(page, "inf<"));
      EXPECT_FALSE(contains(page, "<y>"));
      EXPECT_TRUE(contains(page, "</html>"));
    }
  }
  const LearnedModel empty;
  EXPECT_TRUE(ReadPage(page_of(empty)).says({"0 causes", "0 variables"}));
}

}  // namespace
}  // namespace orrery::noisy_or
