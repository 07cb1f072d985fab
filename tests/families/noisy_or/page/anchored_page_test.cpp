// The page of an anchored network: the graph of its causes, anchors, and nothing that is no number.
#include "families/noisy_or/page/anchored_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "model/anchored_examples.hpp"
#include "report/parts.hpp"

namespace orrery::noisy_or {
using report::contains;
using report::count;

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
  const std::string page = page_of(learned_anchored_example());
  EXPECT_TRUE(contains(page, "<h1>T &amp; U</h1>"));
  EXPECT_TRUE(contains(page, "3 causes of 5 variables"));
  EXPECT_TRUE(contains(page, "3 anchors, 6 loadings, 3 edges among causes, 10,000 samples"));
  EXPECT_TRUE(contains(page, "<li>k&#39;s anchors say"));
  EXPECT_TRUE(contains(page, "<g class=\"positive\"><title>h → g: correlation 0.602</title>"));
  EXPECT_EQ(count(page, "<g class=\"negative\">"), 2U);
  EXPECT_EQ(count(page, "<path class=\"bar\""), 2U);
  EXPECT_TRUE(contains(page, "<title>h: P(present) = 0.250</title>"));
  // Each anchor with its rates; the error that is not known is not told.
  EXPECT_TRUE(contains(page, "<span>a <i>0.062 | 0.750, given</i></span>"));
  EXPECT_TRUE(contains(page, "<span>b or c <i>0.125 ± 0.010 | 0.562, two anchors</i></span>"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">0.250 ± 0.010</td>"));
  // 1 - failure; the anchor itself is not among them.
  EXPECT_TRUE(contains(page, "<td class=\"list\"><span>x <i>0.500 ± 0.020</i></span></td>"));
  EXPECT_FALSE(contains(page, "not true"));
  EXPECT_FALSE(contains(page, "class=\"scatter\""));
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

TEST(AnchoredPage, marks_edges_that_are_wrong_and_that_are_missed) {
  const CauseTable root{{}, {.5}};
  const std::vector<double> up{.25, .75};
  const std::vector<double> down{.75, .25};
  LearnedModel learned;
  learned.network = joined({root, {{0}, up}, {{0}, down}, {{1}, up}});
  // 0 - 1 the other way round is right; 0 - 2 is not there; 2 - 3 was not learned.
  const NoisyOrNetwork truth =
      joined({{{1}, up}, root, root, {{1, 2}, {.25, .5, .125, .375}}}, .25);
  const std::string page = page_of(learned, truth);
  EXPECT_TRUE(contains(page, "2 of 3 edges among causes found"));
  EXPECT_TRUE(contains(page, "<span class=\"extra\">1 wrong</span>"));
  EXPECT_TRUE(contains(page, "<span class=\"missed\">1 missed</span>"));
  EXPECT_EQ(count(page, "<g class=\"positive\"><title>y0 → y1"), 1U);
  EXPECT_EQ(count(page, "<g class=\"negative wrong\"><title>y0 → y2: correlation -0.500, not true"),
            1U);
  EXPECT_EQ(count(page, "<g class=\"negative lacking\"><title>y2 → y3: not learned; true"), 1U);
  EXPECT_TRUE(contains(page, "precision 0.667, recall 0.667"));
  EXPECT_EQ(count(page, "<td>no</td>"), 1U);
  EXPECT_EQ(count(page, "<td>yes</td>"), 2U);
  // Failures of .5 that are .25 in truth: 8 loadings, half of them of anchors.
  EXPECT_EQ(count(page, "<circle class=\"anchor\" cx=\"141.0\" cy=\"202.0\""), 4U);
  EXPECT_EQ(count(page, "<circle class=\"found\" cx=\"141.0\" cy=\"202.0\""), 4U);
}

TEST(AnchoredPage, points_stand_at_the_edge_where_one_network_has_no_loading) {
  LearnedModel learned;
  learned.network = joined({{{}, {.5}}, {{}, {.5}}});
  const NoisyOrNetwork truth(
      NoisyOrNetwork({{"y0", .5}, {"y1", .5}},
                     {{"x0", .125}, {"x1", .125}, {"x2", .125}, {"x3", .125}},
                     {{0, 0, .5}, {0, 2, .25}, {1, 2, .5}, {1, 3, .5}}),
      CauseNetwork({{{}, {.5}}, {{}, {.5}}}), {{0, 0}, {1, 2}});
  const std::string page = page_of(learned, truth);
  EXPECT_EQ(count(page, "<circle class=\"wrong\" cx=\"426.0\""), 1U);                // y0 -> x1
  EXPECT_EQ(count(page, "<circle class=\"lacking\" cx=\"141.0\" cy=\"12.0\""), 1U);  // y0 -> x2
  EXPECT_TRUE(contains(page, "y0 → x1: learned 0.500, true no edge"));
  EXPECT_TRUE(contains(page, "y0 → x2: learned no edge, true 0.250"));
}

TEST(AnchoredPage, does_not_draw_what_nobody_could_read) {
  LearnedModel many;
  many.network = joined(std::vector<CauseTable>(151, {{}, {.5}}));
  EXPECT_FALSE(contains(page_of(many), "class=\"graph dag\""));
  EXPECT_TRUE(contains(page_of(many), "151 causes and 0 edges are too many to draw"));
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
  EXPECT_TRUE(contains(page_of(empty), "0 causes of 0 variables"));
}

}  // namespace
}  // namespace orrery::noisy_or
