#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"
#include "report/parts.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using orrery::model::LearnedLinear;
using orrery::model::LinearNetwork;
using orrery::model::LinearParts;
using orrery::report::contains;
using orrery::report::count;

LinearParts two_causes() {
  LinearParts parts;
  parts.names = {"flu, \"A\"", "<b> & 'c'", "x"};
  parts.cause_names = {"heat", "cold<"};
  parts.loadings = MatrixXd{{.5, 0}, {-.25, 0}, {.75, 1}};
  parts.noise = VectorXd{{.25, .5, 0}};
  parts.means = VectorXd{{0, 2, 0}};
  return parts;
}

/// Names with everything that some format must quote.
LearnedLinear awkward_linear() {
  LinearParts parts = two_causes();
  parts.covariance = MatrixXd{{1, -.5}, {-.5, 1}};
  LearnedLinear learned;
  learned.network = LinearNetwork(parts);
  learned.loading_errors = MatrixXd{{.0625, .5}, {std::nan(""), .5}, {.125, .25}};
  learned.covariance_errors = MatrixXd{{0, .03125}, {.03125, 0}};
  return learned;
}

LearnedLinear coupled() {
  LinearParts parts = two_causes();
  parts.coupling = MatrixXd{{0, 0}, {.5, 0}};
  LearnedLinear learned;
  learned.network = LinearNetwork(parts);
  learned.coupling_errors = MatrixXd{{0, 0}, {.015625, 0}};
  return learned;
}

LearnedLinear levelled() {
  LinearParts parts = two_causes();
  parts.upper.push_back({MatrixXd{{.5, 0}, {0, -.5}}, VectorXd{{.75, .75}}, {"g", "g'"}});
  parts.upper.push_back({MatrixXd{{.25}, {0}}, VectorXd{{.9375, 1}}, {"top"}});
  LearnedLinear learned;
  learned.network = LinearNetwork(parts);
  return learned;
}

TEST(export_linear, csv_has_a_loading_a_row_and_its_error_where_it_is_known) {
  EXPECT_EQ(orrery::family::written_as(awkward_linear(), "csv"),
            "cause,observed,loading,loading_error\n"
            "heat,\"flu, \"\"A\"\"\",0.5,0.0625\n"
            "heat,<b> & 'c',-0.25,\n"
            "heat,x,0.75,0.125\n"
            "cold<,x,1,0.25\n");
}

TEST(export_linear, dot_tells_hidden_from_observed_and_signs_apart) {
  const std::string dot = orrery::family::written_as(awkward_linear(), "dot");
  EXPECT_TRUE(contains(dot, "x0 [label=\"flu, \\\"A\\\"\", mean=\"0\", noise=\"0.25\"]")) << dot;
  EXPECT_LT(dot.find("shape=ellipse"), dot.find("c0 ["));
  EXPECT_LT(dot.find("c1 ["), dot.find("shape=box"));
  EXPECT_TRUE(contains(dot, "c0 -> x2 [loading=\"0.75\""));
  EXPECT_EQ(count(dot, "->"), 5U);
  EXPECT_EQ(count(dot, "color=red"), 2U);
  EXPECT_EQ(count(dot, "dir=none"), 1U);
  EXPECT_TRUE(contains(orrery::family::written_as(coupled(), "dot"), "c0 -> c1 [coupling=\"0.5\""));
  EXPECT_FALSE(contains(orrery::family::written_as(coupled(), "dot"), "dir=none"));
}

TEST(export_linear, weak_loadings_are_left_out_of_drawings_and_csv) {
  EXPECT_EQ(orrery::family::written_as(awkward_linear(), "csv", .5),
            "cause,observed,loading,loading_error\n"
            "heat,\"flu, \"\"A\"\"\",0.5,0.0625\n"
            "heat,x,0.75,0.125\n"
            "cold<,x,1,0.25\n");
  const std::string dot = orrery::family::written_as(awkward_linear(), "dot", .5);
  EXPECT_EQ(count(dot, "->"), 4U);      // with the covariance
  EXPECT_FALSE(contains(dot, "x1 ["));  // of which the one loading is -0.25
}

TEST(export_linear, levels_are_linked_from_above) {
  const std::string dot = orrery::family::written_as(levelled(), "dot");
  EXPECT_TRUE(contains(dot, "u2_0 -> u1_0 [loading=\"0.25\""));
  EXPECT_TRUE(contains(dot, "u1_1 -> c1 [loading=\"-0.5\""));
  EXPECT_TRUE(contains(dot, "u1_1 [label=\"g'\", noise=\"1\"]"));
  EXPECT_TRUE(contains(dot, "c0 [label=\"heat\", noise=\"0.75\"]"));
  EXPECT_TRUE(contains(dot, "u2_0 [label=\"top\"]"));
  EXPECT_EQ(count(dot, "->"), 7U);
}

TEST(export_linear, graphml_has_every_node_edge_and_declared_key) {
  for (const LearnedLinear& learned : {awkward_linear(), coupled(), levelled()}) {
    const std::string xml = orrery::family::written_as(learned, "graphml");
    EXPECT_EQ(count(xml, "<node "), learned.network.upper().empty() ? 5U : 8U);
    EXPECT_EQ(count(xml, "<edge "), learned.network.upper().empty() ? 5U : 7U);
    EXPECT_TRUE(contains(xml, "&lt;b&gt; &amp;"));
    const std::regex used("<data key=\"([a-z_]+)\">");
    for (std::sregex_iterator i(xml.begin(), xml.end(), used), end; i != end; ++i) {
      EXPECT_TRUE(contains(xml, "<key id=\"" + (*i)[1].str() + "\"")) << (*i)[1];
    }
  }
  const std::string xml = orrery::family::written_as(awkward_linear(), "graphml");
  EXPECT_TRUE(
      contains(xml,
               "<edge source=\"c0\" target=\"c1\"><data "
               "key=\"edge_kind\">covariance</data><data key=\"edge_value\">-0.5</data><data "
               "key=\"edge_error\">0.03125</data></edge>"))
      << xml;
  EXPECT_EQ(count(xml, "key=\"edge_error\">"), 4U);
  EXPECT_TRUE(
      contains(orrery::family::written_as(coupled(), "graphml"), "key=\"edge_error\">0.015625<"));
}

}  // namespace
