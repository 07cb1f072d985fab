// The writers of graphs and of networks of tables, on networks that fit on a few lines.
#include "report/formats.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "report/parts.hpp"

namespace orrery::report {
namespace {

/// h with two states, and x with three given h.
DiscreteNetwork two_variables() {
  DiscreteNetwork network;
  network.push_back({"h", {"off", "on"}, {}, [](auto /*parents*/, std::span<double> p) {
                       p[0] = .75;
                       p[1] = .25;
                     }});
  network.push_back({"grade (%)",
                     {"<5", ">5", "none"},
                     {0},
                     [](std::span<const std::uint32_t> parents, std::span<double> p) {
                       p[0] = parents[0] == 1 ? .5 : 1;
                       p[1] = parents[0] == 1 ? .5 : 0;
                       p[2] = 0;
                     }});
  return network;
}

TEST(Uai, the_variable_of_a_table_is_the_last_of_its_scope_and_changes_fastest) {
  EXPECT_EQ(to_uai(two_variables()),
            "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n0.75 0.25\n\n6\n1 0 0\n0.5 0.5 0\n");
}

TEST(Uai, numbers_have_no_exponent_and_lose_nothing) {
  DiscreteNetwork network;
  network.push_back({"x", {"off", "on"}, {}, [](auto /*parents*/, std::span<double> p) {
                       p[0] = 1e-9;
                       p[1] = 5e-324;
                     }});
  const std::string text = to_uai(network);
  EXPECT_TRUE(contains(text, "\n0.000000001 0.000"));
  EXPECT_FALSE(contains(text, "e"));
  EXPECT_EQ(std::strtod(text.c_str() + text.rfind(' '), nullptr), 5e-324);
}

TEST(Bif, says_which_names_it_writes_otherwise) {
  EXPECT_EQ(to_bif(two_variables()),
            "// BIF has letters, digits and underscores in names, so that these are written anew:\n"
            "//   grade is 'grade (%)'\n"
            "//   of grade: _5 is '<5', _5_2 is '>5'\n"
            "network orrery {\n}\n"
            "variable h {\n  type discrete [ 2 ] { off, on };\n}\n"
            "variable grade {\n  type discrete [ 3 ] { _5, _5_2, none };\n}\n"
            "probability ( h ) {\n  table 0.75, 0.25;\n}\n"
            "probability ( grade | h ) {\n  (off) 1, 0, 0;\n  (on) 0.5, 0.5, 0;\n}\n");
}

TEST(Xmlbif, keeps_names_and_has_a_table_row_per_state_of_the_parents) {
  const std::string xml = to_xmlbif(two_variables());
  EXPECT_TRUE(contains(xml,
                       "<VARIABLE TYPE=\"nature\">\n  <NAME>grade (%)</NAME>\n"
                       "  <OUTCOME>&lt;5</OUTCOME>\n  <OUTCOME>&gt;5</OUTCOME>\n"
                       "  <OUTCOME>none</OUTCOME>\n</VARIABLE>\n"));
  EXPECT_TRUE(contains(xml,
                       "<DEFINITION>\n  <FOR>grade (%)</FOR>\n  <GIVEN>h</GIVEN>\n  <TABLE>\n"
                       "    1 0 0\n    0.5 0.5 0\n  </TABLE>\n</DEFINITION>\n"));
}

DiscreteNetwork named(const std::vector<std::string>& names) {
  DiscreteNetwork network;
  for (const std::string& name : names) network.push_back({name, {"off", "on"}, {}, {}});
  return network;
}

TEST(Identifiers, keep_the_letters_digits_and_underscores_of_a_name) {
  EXPECT_EQ(identifiers_of(named({"fièvre", "flu, \"A\"", "a__b", "7", "+", "x y", "x-y", "table",
                                  "a\xC3", "Ünder"}))
                .variables,
            (std::vector<std::string>{"fievre", "flu_A", "a__b", "_7", "unnamed", "x_y", "x_y_2",
                                      "table_2", "a", "Under"}));
}

TEST(Identifiers, are_names_that_are_identifiers_where_others_would_become_them) {
  EXPECT_EQ(identifiers_of(named({"fièvre", "fievre", "a-b", "a_b", "a b"})).variables,
            (std::vector<std::string>{"fievre_2", "fievre", "a_b_2", "a_b", "a_b_3"}));
}

TEST(Identifiers, of_xml_are_the_names_themselves_once_each) {
  const auto names = clean_names_of(named({"fièvre", "a", "a", "", "x\ny"})).variables;
  EXPECT_EQ(names, (std::vector<std::string>{"fièvre", "a", "a_2", "unnamed", "x y"}));
}

TEST(Identifiers, are_listed_with_every_state) {
  const DiscreteNetwork network = two_variables();
  EXPECT_EQ(n_changed(network, identifiers_of(network)), 1U);
  EXPECT_EQ(n_changed(network, clean_names_of(network)), 0U);
  EXPECT_EQ(names_csv(network, numbers_of(network)),
            "name,state,written_name,written_state\n"
            "h,off,0,0\nh,on,0,1\n"
            "grade (%),<5,1,0\ngrade (%),>5,1,1\ngrade (%),none,1,2\n");
}

// --------------------------------------------------------------------------------------------
// graphs

Graph three_nodes() {
  Graph graph{.keys = {{"kind", "all", "kind", "string"},
                       {"name", "node", "name", "string"},
                       {"error", "all", "standard_error", "double"},
                       {"depth", "node", "depth", "int"}}};
  graph.nodes = {{"c0", "h", "cause", true, false, {{"error", "", "0.5"}}},
                 {"x0", "a", "observed", false},
                 {"x1", "b", "observed", false},
                 {"x2", "lone", "observed", false}};
  graph.edges = {{"c0", "x0", "loading", true, 1, Sign::none, {{"error", "", "0.25"}}, .25},
                 {"c0", "x1", "loading", true, 1, Sign::none, {}, .75}};
  return graph;
}

TEST(Graphml, an_attribute_of_nodes_and_edges_has_a_key_for_each_and_unused_keys_are_left_out) {
  EXPECT_EQ(to_graphml(three_nodes()),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
            "  <key id=\"node_kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
            "  <key id=\"node_name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
            "  <key id=\"node_error\" for=\"node\" attr.name=\"standard_error\" "
            "attr.type=\"double\"/>\n"
            "  <key id=\"edge_kind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n"
            "  <key id=\"edge_error\" for=\"edge\" attr.name=\"standard_error\" "
            "attr.type=\"double\"/>\n"
            "  <graph id=\"orrery\" edgedefault=\"directed\">\n"
            "    <node id=\"c0\"><data key=\"node_kind\">cause</data><data "
            "key=\"node_name\">h</data><data key=\"node_error\">0.5</data></node>\n"
            "    <node id=\"x0\"><data key=\"node_kind\">observed</data><data "
            "key=\"node_name\">a</data></node>\n"
            "    <node id=\"x1\"><data key=\"node_kind\">observed</data><data "
            "key=\"node_name\">b</data></node>\n"
            "    <node id=\"x2\"><data key=\"node_kind\">observed</data><data "
            "key=\"node_name\">lone</data></node>\n"
            "    <edge source=\"c0\" target=\"x0\"><data key=\"edge_kind\">loading</data><data "
            "key=\"edge_error\">0.25</data></edge>\n"
            "    <edge source=\"c0\" target=\"x1\"><data "
            "key=\"edge_kind\">loading</data></edge>\n"
            "  </graph>\n</graphml>\n");
}

TEST(StrongPart, has_no_node_that_only_weak_edges_touch) {
  const Graph strong = strong_part(three_nodes(), .5);
  ASSERT_EQ(strong.edges.size(), 1U);
  EXPECT_EQ(strong.edges[0].to, "x1");
  ASSERT_EQ(strong.nodes.size(), 3U);  // x0 is gone; the lone one had no edge before
  EXPECT_EQ(strong.nodes[1].id, "x1");
  EXPECT_EQ(strong_part(three_nodes(), .25).edges.size(), 2U);
  Graph unknown = three_nodes();
  unknown.edges[0].strength = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(strong_part(unknown, 1).edges.size(), 1U);  // what is not known is not called weak
}

TEST(Dot, goes_from_left_to_right) {
  EXPECT_TRUE(contains(to_dot(three_nodes()), "  rankdir=LR;\n"));
}

}  // namespace
}  // namespace orrery::report
