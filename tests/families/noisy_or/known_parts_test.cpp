// What --structure, --start, --forbid and --require become.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <fstream>

#include "cli/arguments.hpp"
#include "families/model_files.hpp"
#include "families/noisy_or/commands.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using learning::lone_team;

const std::vector<std::string> patients{"fever", "cough", "ache", "rash, red"};

class KnownPartsOptions : public testing::Test {
 protected:
  KnownPartsOptions() {
    std::filesystem::create_directory(folder_);
    // The data's variables in another order.
    write("flu.json", R"({"format": "orrery-network-1",
      "causes": [{"name": "flu", "prior": 0.1}, {"name": "cold", "prior": 0.2}],
      "observed": [{"name": "ache", "leak": 0.3}, {"name": "rash, red", "leak": 0.4},
                   {"name": "cough", "leak": 0.2}, {"name": "fever", "leak": 0.1}],
      "edges": [[0, 3, 0.5], [0, 0, 0.25], [1, 2, 0.75]]})");
    write("other.json", R"({"format": "orrery-network-1", "causes": [{"name": "pox", "prior": 0.3}],
      "observed": [{"name": "cough", "leak": 0.3}, {"name": "rash, red", "leak": 0.4}],
      "edges": [[0, 1, 0.5]]})");
    write("strange.json",
          R"({"format": "orrery-network-1", "causes": [{"name": "pox", "prior": 0.3}],
      "observed": [{"name": "fever", "leak": 0.1}, {"name": "b", "leak": 0.2},
                   {"name": "c", "leak": 0.3}, {"name": "d", "leak": 0.4}],
      "edges": [[0, 3, 0.5]]})");
  }
  ~KnownPartsOptions() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  family::KnownInput load(const std::vector<std::string>& words) const {
    boost::program_options::options_description own("Options");
    add_known_options(own);
    std::vector<std::string> all = words;
    all.emplace_back("-q");
    const cli::Arguments arguments({"learn quartet", "", "", "", {}}, own, {all, ""}, lone_team());
    return load_known_parts(arguments, lone_team(), patients);
  }
  std::string refusal(const std::vector<std::string>& words) const {
    try {
      (void)load(words);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// Of lines in a file for --forbid, beside the structure.
  std::string refusal_of(const std::string& lines) const {
    write("forbid.txt", lines);
    return refusal({"--structure", path("flu.json"), "--forbid", path("forbid.txt")});
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("known{}", ::getpid());
};

bool holds(const std::string& text, const std::vector<std::string>& parts) {
  return std::ranges::all_of(
      parts, [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

TEST_F(KnownPartsOptions, nothing_given_is_nothing_known) {
  const family::KnownInput input = load({});
  EXPECT_EQ(input.given(), nullptr);
  EXPECT_TRUE(input.identity.empty());
}

TEST_F(KnownPartsOptions, networks_come_in_the_order_of_the_data) {
  const family::KnownInput input =
      load({"--structure", path("flu.json"), "--start", path("other.json")});
  ASSERT_EQ(input.given(), &input.parts);
  ASSERT_TRUE(input.parts.structure && input.parts.start);
  const model::NoisyOrNetwork& structure = *input.parts.structure;
  EXPECT_EQ(structure.observed_names(), patients);
  EXPECT_EQ(structure.observed()[0].leak, 0.1);
  EXPECT_EQ(structure.observed()[3].leak, 0.4);
  EXPECT_EQ(structure.failure(0, 0), 0.5);
  EXPECT_EQ(structure.failure(0, 2), 0.25);
  EXPECT_EQ(structure.failure(1, 1), 0.75);
  EXPECT_EQ(structure.edges().size(), 3U);
  // Of two of the data's variables: the others have no edge.
  EXPECT_EQ(input.parts.start->observed_names(), patients);
  EXPECT_EQ(input.parts.start->failure(0, 3), 0.5);
  EXPECT_EQ(input.parts.start->observed()[1].leak, 0.3);
  EXPECT_EQ(input.parts.start->edges().size(), 1U);
}

TEST_F(KnownPartsOptions, as_many_variables_of_other_names_are_refused) {
  for (const std::string option : {"--structure", "--start"}) {
    const std::string message = refusal({option, path("strange.json")});
    EXPECT_TRUE(holds(message, {"strange.json", "3 (b, c, d)", "3 (cough, ache, rash, red)"}))
        << message;
  }
}

TEST_F(KnownPartsOptions, edges_are_named_as_in_the_data_whatever_name_they_were_given_by) {
  write("forbid.txt", "# no fever from a cold\ncold,fever\r\n\n  pox ,  cough\n*, rash, red\n");
  write("require.txt", "flu,cough\n*,ache\nflu,rash, red\n");
  const family::KnownInput input =
      load({"--structure", path("flu.json"), "--start", path("other.json"), "--forbid",
            path("forbid.txt"), "--require", path("require.txt")});
  const auto named = [](const std::vector<learning::KnownParts::NamedEdge>& edges) {
    std::vector<std::string> texts;
    for (const auto& edge : edges) texts.push_back(edge.cause + "->" + edge.observed);
    return texts;
  };
  EXPECT_EQ(named(input.parts.forbidden),
            (std::vector<std::string>{"cold->fever", "pox->cough", "*->rash, red"}));
  EXPECT_EQ(named(input.parts.required),
            (std::vector<std::string>{"flu->cough", "*->ache", "flu->rash, red"}));
}

TEST_F(KnownPartsOptions, the_identity_changes_with_what_the_files_say_not_with_their_names) {
  write("a.txt", "*,fever\n");
  write("b.txt", "*,fever\n");
  write("c.txt", "*,cough\n");
  const auto identity = [&](const char* name) { return load({"--forbid", path(name)}).identity; };
  ASSERT_EQ(identity("a.txt").size(), 4U);
  EXPECT_EQ(identity("a.txt")[0], (std::pair<std::string, std::string>{"--structure", "none"}));
  EXPECT_EQ(identity("a.txt"), identity("b.txt"));
  EXPECT_NE(identity("a.txt"), identity("c.txt"));
  EXPECT_NE(load({"--require", path("a.txt")}).identity, identity("a.txt"));
  EXPECT_NE(load({"--start", path("flu.json")}).identity,
            load({"--structure", path("flu.json")}).identity);
}

TEST_F(KnownPartsOptions, lines_that_are_no_edge_are_refused_with_file_and_line) {
  EXPECT_TRUE(holds(refusal_of("*,fever\n\nflu fever\n"),
                    {path("forbid.txt"), "line 3", "'flu fever'", "cause,variable"}));
  EXPECT_TRUE(holds(refusal_of(" ,fever\n"), {"line 1", "',fever'"}));
  EXPECT_TRUE(holds(refusal_of("flu, \n"), {"line 1", "'flu,'"}));
}

TEST_F(KnownPartsOptions, unknown_names_are_refused_with_the_nearest_ones) {
  EXPECT_TRUE(holds(refusal_of("*,fever\nfly,fever\n"),
                    {path("forbid.txt"), "line 2", "cause 'fly'", "'flu' or 'cold'"}));
  EXPECT_TRUE(
      holds(refusal_of("flu,fevr\n"), {"line 1", "variable 'fevr'", "the nearest is 'fever', "}));
  write("forbid.txt", "flu,fever\n");
  EXPECT_TRUE(holds(refusal({"--forbid", path("forbid.txt")}),
                    {"cause 'flu'", "--structure", "--start", "*"}));
  EXPECT_TRUE(holds(refusal({"--forbid", path("absent.txt")}), {"absent.txt", "no such file"}));
}

TEST_F(KnownPartsOptions, contradictions_are_refused_with_both_places) {
  EXPECT_TRUE(holds(refusal_of("*,rash, red\nflu,ache\n"),
                    {path("forbid.txt"), "line 2: flu,ache", "--structure has this edge"}));
  const auto both = [&](const std::string& forbid, const std::string& require) {
    write("forbid.txt", forbid);
    write("require.txt", require);
    return refusal({"--structure", path("flu.json"), "--start", path("other.json"), "--forbid",
                    path("forbid.txt"), "--require", path("require.txt")});
  };
  EXPECT_TRUE(holds(both("*,ache\ncold,ache\n", "flu,fever\ncold,ache\n"),
                    {"forbid.txt: line 2: cold,ache", "require.txt: line 2: cold,ache"}));
  EXPECT_TRUE(holds(both("*,ache\n", "pox,ache\n"), {"line 1: *,ache", "line 1: pox,ache"}));
  // * does not speak of the structure's causes.
  EXPECT_EQ(both("*,ache\n", "cold,ache\n"), "");
  EXPECT_EQ(both("cold,ache\n", "*,ache\n"), "");
}

TEST_F(KnownPartsOptions, networks_of_other_data_are_refused) {
  write("large.json", R"({"format": "orrery-network-1", "causes": [],
    "observed": [{"name": "fever", "leak": 0.1}, {"name": "gout", "leak": 0.1}], "edges": []})");
  EXPECT_TRUE(holds(refusal({"--start", path("large.json")}),
                    {"of the 2 variables of " + path("large.json"), "the data lack 1 (gout)"}));
}

TEST(NearestNames, are_those_of_the_fewest_edits) {
  EXPECT_EQ(nearest_names("fevr", {"cough", "fever", "ever", "flu"}), "'fever', 'ever' or 'flu'");
  EXPECT_EQ(nearest_names("x", {"y"}), "'y'");
}

}  // namespace
}  // namespace orrery::noisy_or
