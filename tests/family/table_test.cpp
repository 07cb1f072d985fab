// The table of families: whose a model and an option is.
#include "family/table.hpp"

#include <gtest/gtest.h>

#include <boost/program_options/options_description.hpp>
#include <set>

#include "cli/arguments.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {
namespace {

TEST(FamilyTable, every_family_tells_what_the_commands_need_of_it) {
  std::set<std::string> names;
  std::set<std::string> groups;
  std::set<std::string> formats;
  for (const Family* family : families()) {
    EXPECT_TRUE(names.insert(family->name).second);
    for (const std::string& group : family->groups) EXPECT_TRUE(groups.insert(group).second);
    for (const std::string& format : family->json_formats) {
      EXPECT_TRUE(formats.insert(format).second);
    }
    EXPECT_TRUE(!family->evaluate.run || family->evaluate.plan) << family->name;
    EXPECT_TRUE(!family->report.run || family->report.plan) << family->name;
    EXPECT_TRUE(family->describe && family->variables && family->size && family->info &&
                family->summary && family->generate && family->fields.read &&
                family->fields.write && !family->groups.empty() && !family->json_formats.empty())
        << family->name;
  }
}

/// A command with the options of `infer`.
class InferOptions : public testing::Test {
 protected:
  [[nodiscard]] cli::Arguments arguments(std::vector<std::string> words) const {
    boost::program_options::options_description own;
    options_.add_to(own);
    words.emplace_back("-q");
    return {{"infer", "", "", "", {}}, own, {words, ""}, learning::lone_team()};
  }
  [[nodiscard]] std::string refusal(const std::vector<std::string>& words,
                                    const std::string& network) const {
    try {
      options_.refuse_others(arguments(words), load_model(network, 1), "FILE");
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  FamilyOptions options_{&Family::infer};
};

TEST_F(InferOptions, an_option_of_other_families_is_refused_where_it_was_given) {
  EXPECT_EQ(refusal({"--predict", "a"}, "img"),
            "--predict is of no use here: FILE holds a noisy-OR network; leave it out");
  EXPECT_EQ(refusal({"--method", "exact"}, "tree:chain:4"),
            "--method is of no use here: FILE holds signs on a tree; leave it out");
  EXPECT_EQ(refusal({"--predict", "a"}, "tree:chain:4"), "accepted");
  EXPECT_EQ(refusal({"--method", "exact"}, "img"), "accepted");
  EXPECT_EQ(refusal({}, "tree:chain:4"), "accepted");  // --method has a default
}

TEST_F(InferOptions, what_two_families_have_is_of_both) {
  EXPECT_EQ(refusal({"--top", "2"}, "img"), "accepted");
  EXPECT_EQ(refusal({"--top", "2"}, "categorical:1,2,5"), "accepted");
  EXPECT_NE(refusal({"--top", "2"}, "tree:chain:4"), "accepted");
}

TEST_F(InferOptions, a_result_depends_on_the_values_of_the_familys_own) {
  using Values = std::vector<std::pair<std::string, std::string>>;
  const cli::Arguments given =
      arguments({"--predict", "a", "--top", "2", "--min-posterior", "0.5"});
  EXPECT_EQ(options_.values(given, family_of(load_model("tree:chain:4", 1))),
            (Values{{"--predict", "a"}}));
  EXPECT_EQ(options_.values(given, family_of(load_model("categorical:1,2,5", 1))),
            (Values{{"--min-posterior", "0.5"}, {"--top", "2"}}));
}

TEST(FamilyTable, a_model_is_written_in_the_formats_of_its_family) {
  for (const char* network : {"img", "tree:chain:4", "linear:ternary:3", "categorical:1,2,5"}) {
    const AnyModel model = load_model(network, 1);
    EXPECT_FALSE(written_as(model, "json").empty());
    for (const Format& format : family_of(model).formats) {
      if (format.name == "anchors") continue;  // of networks that have some
      EXPECT_FALSE(written_as(model, format.name).empty());
    }
  }
}

TEST(FamilyTable, an_unknown_format_is_refused_with_those_that_there_are) {
  const AnyModel network = load_model("img", 1);
  for (const char* format : {"", "JSON", "xml", "csv "}) {
    try {
      (void)written_as(network, format);
      FAIL() << "no error for '" << format << "'";
    } catch (const UsageError& error) {
      EXPECT_NE(
          std::string(error.what()).find("json, csv, anchors, dot, graphml, bif, xmlbif, uai"),
          std::string::npos);
    }
  }
  EXPECT_THROW((void)written_as(load_model("linear:ternary:3", 1), "bif"), UsageError);
}

TEST(FamilyTable, a_model_of_another_family_is_refused_with_what_can_be_done) {
  const AnyModel tree = load_model("tree:chain:4", 1);
  try {
    refuse(tree, "FILE", "numbers are needed here");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "FILE: holds signs on a tree, but numbers are needed here; sample, infer, "
                 "evaluate, report, export, rename and info take what the file holds");
  }
}

}  // namespace
}  // namespace orrery::family
