// Anchored networks in the formats of other tools.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "families/noisy_or/page/view.hpp"
#include "family/table.hpp"
#include "model/anchored_examples.hpp"
#include "orrery/base/error.hpp"
#include "report/parts.hpp"

namespace orrery::noisy_or {
using report::contains;
using report::count;

namespace {

using model::CauseNetwork;
using model::CauseTable;
using model::LearnedModel;
using model::anchored_examples::learned_anchored_example;
using model::anchored_examples::three_causes;

/// Correlation of two causes by going through all states.
double correlation(const CauseNetwork& network, std::size_t a, std::size_t b) {
  double p_a = 0;
  double p_b = 0;
  double both = 0;
  for (unsigned state = 0; state < (1U << network.n_causes()); ++state) {
    double p = 1;
    for (std::size_t i = 0; i < network.n_causes(); ++i) {
      const CauseTable& table = network.tables()[i];
      std::size_t given = 0;
      for (std::size_t k = 0; k < table.parents.size(); ++k) {
        given |= ((state >> table.parents[k]) & 1U) << k;
      }
      p *= ((state >> i) & 1U) != 0 ? table.on[given] : 1 - table.on[given];
    }
    const bool a_on = ((state >> a) & 1U) != 0;
    const bool b_on = ((state >> b) & 1U) != 0;
    p_a += a_on ? p : 0;
    p_b += b_on ? p : 0;
    both += a_on && b_on ? p : 0;
  }
  return (both - p_a * p_b) / std::sqrt(p_a * (1 - p_a) * p_b * (1 - p_b));
}

TEST(cause_edges, have_the_correlation_that_all_states_give) {
  const CauseNetwork network = three_causes().cause_network();
  const CauseEdges found = cause_edges(network);
  EXPECT_TRUE(found.exact);
  ASSERT_EQ(found.edges.size(), 3U);
  for (const CauseEdge& edge : found.edges) {
    EXPECT_NEAR(edge.correlation, correlation(network, edge.parent, edge.child), 1e-12);
  }
  EXPECT_EQ(found.edges[0].child, 1U);
  EXPECT_EQ(found.edges[1].child, 2U);
  EXPECT_EQ(found.edges[2].parent, 1U);
}

TEST(cause_edges, of_a_cause_that_does_not_vary_have_none) {
  const CauseEdges found = cause_edges(CauseNetwork({{{}, {1.0}}, {{0}, {.25, .5}}}));
  ASSERT_EQ(found.edges.size(), 1U);
  EXPECT_TRUE(std::isnan(found.edges[0].correlation));
}

TEST(cause_edges, where_no_sum_is_feasible_tell_the_effect) {
  // Each two of 22 causes have a child: whatever is summed out first joins all others.
  std::vector<CauseTable> tables(22, CauseTable{{}, {.5}});
  for (std::uint32_t a = 0; a < 22; ++a) {
    for (std::uint32_t b = a + 1; b < 22; ++b) tables.push_back({{a, b}, {.125, .25, .5, .75}});
  }
  const CauseEdges found = cause_edges(CauseNetwork(std::move(tables)));
  EXPECT_FALSE(found.exact);
  for (const CauseEdge& edge : found.edges) {
    // (.25 - .125 + .75 - .5) / 2 of the lower parent, (.5 - .125 + .75 - .25) / 2 of the other.
    EXPECT_TRUE(edge.correlation == .1875 || edge.correlation == .4375) << edge.correlation;
  }
}

TEST(export_anchored, csv_has_a_loading_a_row) {
  EXPECT_EQ(
      orrery::family::written_as(learned_anchored_example(), "csv"),
      "cause,prior,observed,leak,failure,prior_error,leak_error,failure_error,support,stability,"
      "edge_stability,anchor\n"
      "h,0.25,a,0.0625,0.25,0.01,0.1,0.01,,,,1\n"
      "h,0.25,x,0.25,0.5,0.01,0.4,0.02,,,,0\n"
      "g,0.28125,b;c,0.125,0.5,0.02,,0.03,,,,1\n"
      "g,0.28125,y,0.5,0,0.02,0.5,0.04,,,,0\n"
      "k,0.3671875,d,0,0.125,,0.3,0.05,,,,1\n"
      "k,0.3671875,x,0.25,0.75,,0.4,0,,,,0\n");
}

TEST(export_anchored, anchors_are_as_the_learner_reads_them) {
  EXPECT_EQ(orrery::family::written_as(learned_anchored_example(), "anchors"),
            "cause,column,off,on\n"
            "h,a,0.0625,0.75\n"
            "g,b;c,0.125,0.5625\n"
            "k,d,0.001,0.875\n");
  LearnedModel drawn;
  drawn.network = three_causes();
  // (1 - leak) failure: 1 - .9375 * .25, 1 - .875 * .5, 1 - .125.
  EXPECT_EQ(orrery::family::written_as(drawn, "anchors"),
            "cause,column,off,on\n"
            "h,a,0.0625,0.765625\n"
            "g,b;c,0.125,0.5625\n"
            "k,d,0,0.875\n");
}

TEST(export_anchored, names_in_the_anchors_file_are_quoted_or_refused) {
  const auto named = [](const std::string& cause, const std::string& column) {
    LearnedModel learned;
    learned.network =
        model::NoisyOrNetwork(model::NoisyOrNetwork({{cause, 0}}, {{column, .25}}, {{0, 0, .5}}),
                              CauseNetwork({{{}, {.5}}}), {{0, 0}});
    return learned;
  };
  EXPECT_TRUE(contains(orrery::family::written_as(named("a,b", "say \"x\""), "anchors"),
                       "\n\"a,b\",\"say \"\"x\"\"\",0.25,0.625\n"));
  EXPECT_THROW((void)orrery::family::written_as(named("a", "x;y"), "anchors"), UsageError);
}

TEST(export_anchored, dot_colours_edges_among_causes_and_marks_anchors) {
  const std::string dot = orrery::family::written_as(learned_anchored_example(), "dot");
  EXPECT_EQ(count(dot, "->"), 9U);
  EXPECT_EQ(count(dot, "peripheries=2"), 3U);
  EXPECT_EQ(count(dot, "color=forestgreen"), 1U);              // h -> g
  EXPECT_EQ(count(dot, "color=red, style=dashed"), 2U);        // h -> k, g -> k
  EXPECT_TRUE(contains(dot, "c0 -> c1 [correlation=\"0.60"));  // .1171875 / .1946868
  EXPECT_TRUE(contains(dot, "c0 -> x3 [failure=\"0.5\""));
  EXPECT_TRUE(contains(dot, "x1 [label=\"b;c\""));
}

TEST(export_anchored, graphml_has_every_node_edge_and_declared_key) {
  const std::string xml = orrery::family::written_as(learned_anchored_example(), "graphml");
  EXPECT_EQ(count(xml, "<node "), 8U);
  EXPECT_EQ(count(xml, "<edge "), 9U);
  EXPECT_EQ(count(xml, "key=\"edge_correlation\">"), 3U);
  EXPECT_EQ(count(xml, "<data key=\"node_anchor\">true</data>"), 3U);
  EXPECT_EQ(count(xml, "<data key=\"edge_anchor\">true</data>"), 3U);
  EXPECT_EQ(count(xml, "key=\"node_error\">"), 2U + 4U);  // one of each is not known
  EXPECT_EQ(count(xml, "key=\"edge_error\">"), 6U);
  const std::regex used("<data key=\"([a-z_]+)\">");
  for (std::sregex_iterator i(xml.begin(), xml.end(), used), end; i != end; ++i) {
    EXPECT_TRUE(contains(xml, "<key id=\"" + (*i)[1].str() + "\"")) << (*i)[1];
  }
}

TEST(export_anchored, bif_has_the_tables_of_causes_given_their_parents) {
  const std::string bif = orrery::family::written_as(learned_anchored_example(), "bif");
  EXPECT_TRUE(contains(bif, "probability ( h ) {\n  table 0.75, 0.25;\n}"));
  // Bit i of a state is parent i, but the first parent is the slowest in the file.
  EXPECT_TRUE(contains(bif,
                       "probability ( k | h, g ) {\n  (off, off) 0.5, 0.5;\n  (off, on) 0.875, "
                       "0.125;\n  (on, off) 0.75, 0.25;\n  (on, on) 0.9375, 0.0625;\n}"));
  EXPECT_TRUE(contains(bif,
                       "probability ( b_c | g ) {\n  (off) 0.875, 0.125;\n  (on) 0.4375, "
                       "0.5625;\n}"));
  EXPECT_EQ(count(bif, "variable "), 8U);
}

TEST(export_anchored, refuses_a_network_without_anchors) {
  EXPECT_THROW((void)orrery::family::written_as(LearnedModel(), "anchors"), UsageError);
}

}  // namespace
}  // namespace orrery::noisy_or
