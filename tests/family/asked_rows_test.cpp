// One row of the command line: how --given is read, and the rows that it makes.
#include "family/asked_rows.hpp"

#include <gtest/gtest.h>

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "family/explained_causes.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {
namespace {

const std::vector<std::string> variable_names{"fever", "cough", "a,b",   "say \"x\"",
                                              "a=b",   "a",     " blank"};

std::string read(const std::vector<std::string>& texts) {
  std::string all;
  try {
    for (const auto& [name, value] : given_values(texts, variable_names)) {
      all += "[" + name + "|" + value + "]";
    }
  } catch (const UsageError& error) {
    return error.what();
  }
  return all;
}

TEST(GivenValues, are_separated_by_commas_and_may_be_repeated) {
  EXPECT_EQ(read({"fever=1,cough=0"}), "[fever|1][cough|0]");
  EXPECT_EQ(read({"fever=1", "cough=0"}), "[fever|1][cough|0]");
  EXPECT_EQ(read({" fever = 1 , cough=0 "}), "[fever| 1][cough|0]");
  EXPECT_EQ(read({"fever=1,"}), "[fever|1]");
}

TEST(GivenValues, names_with_commas_and_quotes_are_quoted_as_in_csv) {
  EXPECT_EQ(read({"\"a,b\"=1,cough=0"}), "[a,b|1][cough|0]");
  EXPECT_EQ(read({"\"a,b=1\",cough=0"}), "[a,b|1][cough|0]");  // the whole field
  EXPECT_EQ(read({"\"say \"\"x\"\"\"=1"}), "[say \"x\"|1]");
  EXPECT_EQ(read({"\" blank\"=1"}), "[ blank|1]");
  EXPECT_EQ(read({"cough=\"dark, red\",fever=1"}), "[cough|dark, red][fever|1]");
  EXPECT_NE(read({"\"a,b=1"}).find("a quote does not end"), std::string::npos);
}

TEST(GivenValues, a_name_with_an_equals_sign_is_found_where_it_is_known) {
  EXPECT_EQ(read({"a=b=1"}), "[a=b|1]");
  EXPECT_EQ(read({"a=x=1"}), "[a|x=1]");
  EXPECT_EQ(read({"\"a=b\"=1"}), "[a=b|1]");
}

TEST(GivenValues, slips_are_named_with_what_may_be_meant) {
  EXPECT_EQ(read({"fevre=1"}),
            "--given 'fevre=1': the model has no variable 'fevre'; did you mean 'fever'?");
  EXPECT_NE(read({"qqqqqqqq=1"}).find("it has 'fever', 'cough', "), std::string::npos);
  EXPECT_NE(read({"fever"}).find("a value is missing; write NAME=VALUE"), std::string::npos);
  EXPECT_NE(read({"fever="}).find("a value is missing"), std::string::npos);
  EXPECT_NE(read({"fever=1,fever=0"}).find("stands there twice"), std::string::npos);
  EXPECT_NE(read({"fever=1", "fever=1"}).find("stands there twice"), std::string::npos);
  EXPECT_NE(read({""}).find("says nothing"), std::string::npos);
  EXPECT_NE(read({"=1"}).find("no variable ''"), std::string::npos);
}

cli::Arguments given_arguments(std::vector<std::string> words) {
  boost::program_options::options_description own;
  add_given_option(own);
  words.emplace_back("-q");
  return {{"infer", "", "", "", {"model", "data"}}, own, {words, ""}, learning::lone_team()};
}

/// "1?0": the row's values in the order of its columns.
std::string bits(const AskedVariables& variables, const std::vector<std::string>& words) {
  const auto reader = open_bits(given_arguments(words), learning::lone_team(), variables);
  const auto block = reader->read(0);
  std::string text;
  for (std::size_t c = 0; c < reader->names().size(); ++c) {
    const bool is_missing = block.missing && block.missing->at(0, c);
    text += reader->names()[c] + (is_missing ? "?" : block.values.at(0, c) ? "1" : "0") + " ";
  }
  return text;
}

TEST(GivenBits, variables_that_are_not_named_are_missing) {
  const AskedVariables three{{"a", "b", "c"}};
  EXPECT_EQ(bits(three, {"m", "--given", "c=yes,a=0"}), "a0 b? c1 ");
  EXPECT_EQ(bits(three, {"m", "--given", "a=TRUE", "--given", "b=f,c=?"}), "a1 b0 c? ");
  EXPECT_THROW((void)bits(three, {"m", "--given", "a=2"}), UsageError);
  EXPECT_THROW((void)bits(three, {"m"}), UsageError);
}

TEST(GivenBits, of_a_union_its_own_value_or_those_of_its_columns_are_given) {
  const AskedVariables variables{{"x", "p;q"}, {{"x"}, {"p", "q"}}};
  EXPECT_EQ(bits(variables, {"m", "--given", "x=1"}), "x1 p;q? ");
  EXPECT_EQ(bits(variables, {"m", "--given", "p;q=1"}), "x? p;q1 ");
  EXPECT_EQ(bits(variables, {"m", "--given", "q=0,x=1"}), "x1 p? q0 ");
  EXPECT_THROW((void)bits(variables, {"m", "--given", "q=0,p;q=1"}), UsageError);
}

TEST(GivenCategories, are_codes_of_the_models_categories) {
  data::CategoricalTable variables;
  variables.names = {"colour", "size"};
  variables.categories = {{"red", "blue"}, {"s", "NA", "dark, red"}};
  const auto codes = [&](const std::string& given) {
    return open_categories(given_arguments({"m", "--given", given}), variables).table.codes;
  };
  using Codes = std::vector<std::uint8_t>;
  EXPECT_EQ(codes("colour=blue"), (Codes{1, data::missing_code}));
  EXPECT_EQ(codes("colour=?,size=s"), (Codes{data::missing_code, 0}));
  EXPECT_EQ(codes("size=NA"), (Codes{data::missing_code, 1}));  // a category comes first
  EXPECT_EQ(codes("size=\"dark, red\",colour= red"), (Codes{0, 2}));
  try {
    (void)codes("colour=bleu");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'blue'?"), std::string::npos);
  }
}

TEST(ExplainedCauses, a_sentence_says_what_speaks_for_a_cause_and_against_it) {
  ExplainedCause flu{"flu", .938, 0, .04, 0, 0, {}};
  EXPECT_EQ(sentence_of(flu),
            "flu is 93.8 % likely (4 % in general): no finding speaks for it or against it.");
  flu.findings = {{"fever", "present", true, 2}, {"colour", "red", std::nullopt, -1}};
  EXPECT_EQ(sentence_of(flu),
            "flu is 93.8 % likely (4 % in general): fever present (odds x 7.39) speaks for it; "
            "colour = red (odds x 0.368) speaks against it.");
  flu.findings.assign(7, {"x", "present", true, 1});
  EXPECT_NE(sentence_of(flu).find("and 2 more speak for it; none against it."), std::string::npos);
}

TEST(ExplainedCauses, those_that_are_likely_are_explained_and_one_in_any_case) {
  using Places = std::vector<std::uint32_t>;
  ExplainOptions shown;
  EXPECT_EQ(likely_causes(shown, {.01, .5, .04, .9}), (Places{3, 1}));
  EXPECT_EQ(likely_causes(shown, {.01, .02}), (Places{1}));
  EXPECT_EQ(likely_causes(shown, std::vector<double>(9, .5)).size(), 5U);
  EXPECT_TRUE(likely_causes(shown, {}).empty());
  shown.row = 7;
  EXPECT_EQ(likely_causes(shown, {.01, .02, .03, .04}), (Places{3, 2, 1}));
}

}  // namespace
}  // namespace orrery::family
