// Categorical networks in files: JSON, and the formats of export.
#include <gtest/gtest.h>

#include <string>

#include "families/categorical/from_json.hpp"
#include "families/categorical/network/examples.hpp"
#include "families/model_files.hpp"
#include "family/table.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"
#include "report/parts.hpp"

namespace orrery::model {
namespace {

using namespace categorical_examples;

LearnedCategorical categorical_of(const std::string& text) {
  return categorical_from_json(text, "m.json");
}

std::string categorical_json_refusal(const std::string& text) {
  try {
    (void)categorical_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CategoricalJson, names_may_be_left_out_and_other_keys_are_passed_over) {
  const LearnedCategorical found =
      categorical_of(R"({"format": "orrery-categorical-1", "other": [1],
      "causes": [{"prior": [0.25, 0.75]}],
      "observed": [{"categories": ["a", "b"], "parents": [0], "table": [[1, 0], [0.5, 0.5]]}]})");
  EXPECT_EQ(found.network.causes()[0].name, "h0");
  EXPECT_EQ(found.network.variables()[0].name, "x0");
  EXPECT_EQ(found.network.variables()[0].table, (std::vector<double>{1, 0, .5, .5}));
  EXPECT_EQ(found.log_evidence, 0);
}

TEST(CategoricalJson, what_is_no_network_is_refused_with_its_place) {
  const auto expect_refused = [](const std::string& rest, const std::string& text) {
    const std::string said =
        categorical_json_refusal(R"({"format": "orrery-categorical-1", )" + rest + "}");
    EXPECT_NE(said.find("m.json: "), std::string::npos) << said;
    EXPECT_NE(said.find(text), std::string::npos) << rest << " is answered: " << said;
  };
  const std::string one = R"("causes": [{"prior": [0.5, 0.5]}], )";
  const std::string all = one + R"("observed": [{"categories": ["a", "b"], "parents": [0],
      "table": [[1, 0], [0, 1]]}], )";
  const auto observed = [&](const std::string& entry) {
    return one + R"("observed": [)" + entry + "]";
  };
  expect_refused(R"("observed": [])", "causes is missing");
  expect_refused(R"("causes": [])", "observed is missing");
  expect_refused(R"("causes": [{}], "observed": [])", "causes[0].prior is missing");
  expect_refused(R"("causes": [], "observed": [])", "no observed variable");
  expect_refused(R"("causes": [{"prior": [1]}], "observed": [])", "cause \"h0\" has 1 states");
  expect_refused(R"("causes": [{"prior": [1, "x"]}], "observed": [])",
                 "causes[0].prior[1] = \"x\"");
  expect_refused(observed("{}"), "observed[0].categories is missing");
  expect_refused(observed(R"({"categories": ["a", 1]})"), "categories[1] = 1; a text");
  expect_refused(observed(R"({"categories": ["a\u0000"], "parents": []})"), "zero byte");
  expect_refused(observed(R"({"categories": ["a"], "parents": [-1]})"), "parents[0] = -1");
  expect_refused(observed(R"({"categories": ["a"], "parents": [1], "table": [[1]]})"),
                 "has the parents [1]; rising numbers of 1 causes");
  expect_refused(observed(R"({"categories": ["a", "b"], "parents": [], "table": [[1]]})"),
                 "observed[0].table[0] has 1 values; 2 are needed");
  expect_refused(observed(R"({"categories": ["a", "b"], "parents": [0], "table": [[1, 0]]})"),
                 "2 rows of 2 are needed");
  expect_refused(observed(R"({"categories": [], "parents": [0], "table": [[], []]})"),
                 "has 0 categories");
  expect_refused(all + R"("structure": [[1]])", "structure[0] has 1 values; 0 are needed");
  expect_refused(all + R"("parent_sets": [[]])", "structure has 0 rows of 0 values");
  expect_refused(all + R"("parent_sets": [[], [0]], "structure": [[1]])", "structure[0] has 1");
  expect_refused(all + R"("parent_sets": [[]], "structure": [[0.5]])", "structure[0] sums to 0.5");
  expect_refused(all + R"("modes": [{"variable": 1, "parents": [], "log_evidence": 0}])",
                 "modes[0] is of variable 1");
  expect_refused(all + R"("choices": [{"n_causes": -1}])", "choices[0].n_causes = -1");
  expect_refused(all + R"("remarks": ["a\u0000b"])", "remarks[0]");
  EXPECT_NE(categorical_json_refusal("[]"), "accepted");
}

}  // namespace
}  // namespace orrery::model

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

TEST(ExportCategorical, an_edge_is_as_strong_as_its_cause_changes_some_probability) {
  // P(x = a) given (h, g): 0.5, 0.75 | 0.25, 0.5: h changes it by 0.25, g by 0.25.
  LearnedCategorical learned;
  learned.network =
      CategoricalNetwork({{"h", {.5, .5}}, {"g", {.5, .5}}},
                         {{"x", {"a", "b"}, {0, 1}, {.5, .5, .75, .25, .25, .75, .625, .375}, {}},
                          {"y", {"a", "b", "c"}, {1}, {1, 0, 0, 0, .5, .5}, {}}});
  const std::string xml = orrery::family::written_as(learned, "graphml");
  EXPECT_EQ(count(xml, "<data key=\"edge_strength\">0.375</data>"), 1U) << xml;  // h, where g = 1
  EXPECT_EQ(count(xml, "<data key=\"edge_strength\">0.25</data>"), 1U);          // g, where h = 0
  EXPECT_EQ(count(xml, "<data key=\"edge_strength\">1</data>"), 1U);
  EXPECT_EQ(count(orrery::family::written_as(learned, "dot", .3), " -> "), 2U);
  EXPECT_THROW((void)orrery::family::written_as(learned, "csv", .3), orrery::UsageError);
}

TEST(ExportCategorical, graphml_has_the_states_of_each_node) {
  const std::string xml = orrery::family::written_as(learned_categorical_example(), "graphml");
  EXPECT_EQ(count(xml, "<node "), 6U);
  EXPECT_EQ(count(xml, "<edge "), 4U);
  EXPECT_TRUE(contains(xml,
                       "<node id=\"c1\"><data key=\"node_kind\">cause</data><data "
                       "key=\"node_name\">v</data>"
                       "<data key=\"node_states\">3</data></node>"));
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
