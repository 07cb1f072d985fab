#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "family/table.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/parts.hpp"

namespace {

using orrery::model::LearnedTree;
using orrery::model::SignTree;
using orrery::report::count;

/// Names with everything that some format must quote; the last variable alone.
LearnedTree awkward_tree() {
  LearnedTree learned;
  learned.tree = SignTree({"flu, \"A\"", "<b> & 'c'", "x y", "x-y"}, {.5, 0, 0, -.25},
                          {{0, 1, .25}, {1, 2, -.5}}, .125);
  learned.edge_errors = {.0625, std::nan("")};
  return learned;
}

TEST(export_tree, csv_has_an_edge_a_row_and_lone_variables) {
  EXPECT_EQ(orrery::family::written_as(awkward_tree(), "csv"),
            "a,b,moment,correlation,mean_a,mean_b,moment_error\n"
            "\"flu, \"\"A\"\"\",<b> & 'c',0.25,0.2886751345948129,0.5,0,0.0625\n"
            "<b> & 'c',x y,-0.5,-0.5,0,0,\n"
            "x-y,,,,-0.25,,\n");
}

TEST(export_tree, dot_is_undirected_and_tells_signs_apart) {
  const std::string dot = orrery::family::written_as(awkward_tree(), "dot");
  EXPECT_EQ(count(dot, " -- "), 2U);
  EXPECT_EQ(count(dot, "->"), 0U);
  EXPECT_EQ(count(dot, "color=red"), 1U);
  EXPECT_NE(dot.find("x0 [label=\"flu, \\\"A\\\"\", mean=\"0.5\"]"), std::string::npos);
}

TEST(export_tree, graphml_has_every_node_edge_and_declared_key) {
  const std::string xml = orrery::family::written_as(awkward_tree(), "graphml");
  EXPECT_EQ(count(xml, "<node "), 4U);
  EXPECT_EQ(count(xml, "<edge "), 2U);
  EXPECT_EQ(count(xml, "<data key=\"edge_error\">"), 1U);
  EXPECT_NE(xml.find("&lt;b&gt; &amp;"), std::string::npos);
  const std::regex used("<data key=\"([a-z_]+)\">");
  for (std::sregex_iterator i(xml.begin(), xml.end(), used), end; i != end; ++i) {
    EXPECT_NE(xml.find("<key id=\"" + (*i)[1].str() + "\""), std::string::npos) << (*i)[1];
  }
}

TEST(export_tree, weak_edges_are_left_out_of_drawings_and_csv) {
  EXPECT_EQ(orrery::family::written_as(awkward_tree(), "csv", .4),
            "a,b,moment,correlation,mean_a,mean_b,moment_error\n"
            "<b> & 'c',x y,-0.5,-0.5,0,0,\n"
            "x-y,,,,-0.25,,\n");
  const std::string dot = orrery::family::written_as(awkward_tree(), "dot", .4);
  EXPECT_EQ(count(dot, " -- "), 1U);
  EXPECT_EQ(count(dot, "[label="), 3U);  // x3 never had an edge, x0 had a weak one alone
}

TEST(export_tree, bif_has_tables_of_hidden_and_observed_signs) {
  const std::string bif = orrery::family::written_as(awkward_tree(), "bif");
  EXPECT_EQ(count(bif, "variable "), 8U);
  EXPECT_EQ(count(bif, "probability "), 8U);
  // P(x_0 on) = .75; P(x_1 on | x_0 on) = (1 + .5 + 0 + .25) / (2 + 2 .5).
  EXPECT_NE(bif.find("table 0.25, 0.75;"), std::string::npos);
  EXPECT_NE(bif.find("(on) 0.4166666666666667, 0.5833333333333334;"), std::string::npos) << bif;
  EXPECT_EQ(count(bif, "(off) 0.875, 0.125;"), 4U);
  LearnedTree clean = awkward_tree();
  clean.tree = SignTree(clean.tree.names(), clean.tree.means(), clean.tree.edges(), 0);
  EXPECT_EQ(count(orrery::family::written_as(clean, "bif"), "variable "), 4U);
}

}  // namespace
