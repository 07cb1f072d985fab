#include <gtest/gtest.h>

#include "families/categorical/network/examples.hpp"
#include "families/model_files.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"

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

TEST(CategoricalJson, what_is_written_is_read_again) {
  LearnedCategorical plain;
  plain.network = small();
  expect_same(categorical_of(categorical_to_json(plain)), plain);
  expect_same(categorical_of(categorical_to_json(learned_categorical_example())),
              learned_categorical_example());
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
