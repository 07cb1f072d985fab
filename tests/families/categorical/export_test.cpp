#include <gtest/gtest.h>

#include <string>

#include "families/categorical/network/examples.hpp"
#include "family/table.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"
#include "report/parts.hpp"

namespace {

using orrery::model::CategoricalNetwork;
using orrery::model::LearnedCategorical;
using orrery::model::categorical_examples::learned_categorical_example;
using orrery::report::contains;
using orrery::report::count;

TEST(ExportCategorical, csv_has_every_entry_of_the_tables_with_the_states_of_the_parents) {
  const std::string csv = orrery::family::written_as(learned_categorical_example(), "csv");
  EXPECT_TRUE(csv.starts_with("observed,state of u,state of v,category,probability,count\n"));
  EXPECT_EQ(count(csv, "\n"), 1U + 2 + 6 + 6 + 12);
  EXPECT_TRUE(contains(csv, "free,,,no,0.3,\n"));
  EXPECT_TRUE(contains(csv, "of u,1,,-1,1,\n"));
  EXPECT_TRUE(contains(csv, "of v,,1,b,1,4\n"));
  // u changes fastest: row 3 of the table is u = 1, v = 1; row 4 is u = 0, v = 2.
  EXPECT_TRUE(contains(csv, "of both,1,1,x,0.5,\n"));
  EXPECT_TRUE(contains(csv, "of both,0,2,x,0.625,\n"));
}

TEST(ExportCategorical, csv_quotes_names) {
  LearnedCategorical learned;
  learned.network = CategoricalNetwork({{"a, b", {.5, .5}}},
                                       {{"say \"x\"", {"1,5", "2"}, {0}, {1, 0, 0, 1}, {}}});
  const std::string csv = orrery::family::written_as(learned, "csv");
  EXPECT_TRUE(contains(csv, "observed,\"state of a, b\",category"));
  EXPECT_TRUE(contains(csv, "\"say \"\"x\"\"\",0,\"1,5\",1,\n"));
}

TEST(ExportCategorical, dot_has_edges_as_thick_as_they_are_probable) {
  LearnedCategorical learned = learned_categorical_example();
  const std::string dot = orrery::family::written_as(learned, "dot");
  EXPECT_TRUE(contains(dot, "c1 [label=\"v\", states=\"3\"]"));
  EXPECT_TRUE(contains(dot, "x1 [label=\"of u\", states=\"3\"]"));
  EXPECT_EQ(count(dot, " -> "), 4U);
  EXPECT_TRUE(contains(dot, "c0 -> x1 [probability=\"1\", penwidth=3.00]"));
  EXPECT_TRUE(contains(dot, "c1 -> x2 [probability=\"0.9\", penwidth=2.74]"));
  learned.parent_sets.clear();
  learned.structure.resize(0, 0);
  EXPECT_TRUE(contains(orrery::family::written_as(learned, "dot"), "c1 -> x2 [penwidth=1.00]"));
}

TEST(ExportCategorical, graphml_has_the_states_of_each_node) {
  const std::string xml = orrery::family::written_as(learned_categorical_example(), "graphml");
  EXPECT_EQ(count(xml, "<node "), 6U);
  EXPECT_EQ(count(xml, "<edge "), 4U);
  EXPECT_TRUE(contains(xml,
                       "<node id=\"c1\"><data key=\"kind\">cause</data><data key=\"name\">v</data>"
                       "<data key=\"states\">3</data></node>"));
}

// In BIF the last parent changes fastest, in a table of ours the first one.
TEST(ExportCategorical, bif_has_the_tables_with_rows_of_all_parents_states) {
  const std::string bif = orrery::family::written_as(learned_categorical_example(), "bif");
  EXPECT_TRUE(contains(bif, "variable v {\n  type discrete [ 3 ] { _0, _1, _2 };\n}\n"));
  EXPECT_TRUE(contains(bif, "probability ( of_both | u, v ) {\n  (_0, _0) "));
  EXPECT_TRUE(contains(bif, "  (_0, _2) 0.625, "));
  EXPECT_TRUE(contains(bif, "  (_1, _1) 0.5, "));
  EXPECT_LT(bif.find("(_0, _2)"), bif.find("(_1, _1)"));
  EXPECT_TRUE(contains(bif, "probability ( free ) {\n  table 0.3, 0.7;\n}\n"));
}

}  // namespace
