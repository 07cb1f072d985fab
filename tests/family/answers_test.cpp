// Answers as CSV and JSON hold what HDF5 holds; where they go is what the command line says.
#include "family/answers.hpp"

#include <gtest/gtest.h>

#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/arguments.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"
#include "store/store_fixture.hpp"

namespace orrery::family {
namespace {

cli::Arguments answer_arguments(std::vector<std::string> words) {
  boost::program_options::options_description own;
  own.add_options()("output,o", boost::program_options::value<std::string>())(
      "checkpoint", boost::program_options::value<std::string>());
  add_posterior_options(own);
  add_format_option(own);
  words.emplace_back("-q");
  return {{"infer", "", "", "", {"model", "data"}}, own, {words, ""}, learning::lone_team()};
}

std::string place(const std::vector<std::string>& words) {
  try {
    const AnswerPlace found = answer_place(answer_arguments(words));
    const char* names[] = {"screen", "hdf5", "csv", "json"};
    return std::string(names[static_cast<std::size_t>(found.format)]) + " " + found.path;
  } catch (const UsageError&) {
    return "refused";
  }
}

TEST(AnswerPlace, is_what_the_format_or_the_files_name_says) {
  EXPECT_EQ(place({}), "screen ");
  EXPECT_EQ(place({"-o", "p.h5"}), "hdf5 p.h5");
  EXPECT_EQ(place({"-o", "p.csv"}), "csv p.csv");
  EXPECT_EQ(place({"-o", "p.json"}), "json p.json");
  EXPECT_EQ(place({"-o", "p"}), "hdf5 p");
  EXPECT_EQ(place({"-o", "p.txt", "--format", "csv"}), "csv p.txt");
  EXPECT_EQ(place({"-o", "p.csv", "--format", "hdf5"}), "hdf5 p.csv");
  EXPECT_EQ(place({"--format", "json"}), "json ");
  EXPECT_EQ(place({"--format", "csv", "-o", "-"}), "csv ");
  EXPECT_EQ(place({"--format", "hdf5"}), "refused");
  EXPECT_EQ(place({"-o", "-"}), "refused");
  EXPECT_EQ(place({"--format", "xml"}), "refused");
  EXPECT_EQ(place({"--format", "csv", "--json"}), "refused");
  EXPECT_EQ(place({"--format", "csv", "--checkpoint", "c.h5"}), "refused");
}

TEST(AnswerPlace, a_csv_has_every_posterior_unless_fewer_are_asked_for) {
  EXPECT_EQ(least_posterior(answer_arguments({"-o", "p.h5"})), .001);
  EXPECT_EQ(least_posterior(answer_arguments({"-o", "p.csv"})), 0);
  EXPECT_EQ(least_posterior(answer_arguments({"-o", "p.csv", "--min-posterior", "0.5"})), .5);
  using Values = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(without_format(answer_arguments({"-o", "p.csv"}),
                           {{"--min-posterior", "0.001"}, {"--format", "csv"}, {"--top", "1"}}),
            (Values{{"--min-posterior", "0"}, {"--top", "1"}}));
}

TEST(AnswerPlace, without_a_file_the_first_rows_are_looked_at) {
  EXPECT_EQ(rows_asked(answer_arguments({}), 7), 7U);
  EXPECT_EQ(rows_asked(answer_arguments({}), 11), 10U);
  EXPECT_EQ(rows_asked(answer_arguments({"-o", "p.h5"}), 11), 11U);
  EXPECT_EQ(rows_asked(answer_arguments({"--format", "csv"}), 11), 11U);
  EXPECT_THROW((void)rows_asked(answer_arguments({"--checkpoint", "c.h5"}), 11), UsageError);
  EXPECT_EQ(describe_more(0), "");
  EXPECT_EQ(describe_more(1990), "... and 1,990 more: add -o FILE\n");
}

TEST(UnlikeNames, each_column_has_a_name_of_its_own) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(unlike_names({"row", "a", "row", "a", "a", "a_2"}),
            (Names{"row", "a", "row_2", "a_3", "a_4", "a_2"}));
}

class AnswerFiles : public store::StoreTest {
 protected:
  AnswerFiles() {
    header_.n_samples = 3;
    header_.data_digest = 0xabc;
    header_.top = 2;
    header_.causes = {"flu", "a,b", "row"};
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    rows_.log_evidence = {-1.0 / 3, -std::numeric_limits<double>::infinity(), -1e-20};
    rows_.log_evidence_error = {0, 0, .125};
    rows_.method = {0, 2, 1};
    rows_.effective_samples = {0, 0, 1234.5};
    rows_.n_listed = {3, 0, 2};
    rows_.cause = {0, 1, 2, 0, 2};
    rows_.probability = {.1, 2.0 / 3, 1e-9, 1, .25};
    rows_.error = {0, 0, 0, .5, .0625};
    rows_.log_probability = {-.5, nan, nan, nan, -.25, -2};
    rows_.proven = {1, 0, 0, 0, 0, 1};
    rows_.n_present = {2, 0, 0, 0, 0, 1};
    rows_.present = {0, 1, 2};
  }

  void write(const std::string& name) const {
    PosteriorOutput output(answer_arguments({"-o", path(name)}), header_,
                           {header_.causes, {.5, .25, .125}, {}});
    output.append(rows_);
    output.finish({});
  }
  /// Fields of each line; no field here has a comma but the quoted name.
  [[nodiscard]] std::vector<std::vector<std::string>> lines(const std::string& name) const {
    std::vector<std::vector<std::string>> all;
    std::istringstream text(store::bytes_of(path(name)));
    for (std::string line; std::getline(text, line);) {
      all.emplace_back();
      std::istringstream fields(line + ",");
      for (std::string field; std::getline(fields, field, ',');) all.back().push_back(field);
    }
    return all;
  }

  store::PosteriorHeader header_;
  store::PosteriorRows rows_;
};

TEST_F(AnswerFiles, a_csv_has_a_column_per_cause_and_what_is_known_of_the_row) {
  write("p.csv");
  const std::string text = store::bytes_of(path("p.csv"));
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "row,flu,\"a,b\",row_2,log_evidence,log_evidence_error,method,effective_samples,"
            "posterior_error,explanation_1,explanation_1_probability,explanation_1_proven,"
            "explanation_2,explanation_2_probability,explanation_2_proven");
  const auto all = lines("p.csv");
  ASSERT_EQ(all.size(), 4U);
  using Line = std::vector<std::string>;
  EXPECT_EQ(Line(all[2].begin(), all[2].begin() + 9),
            (Line{"1", "", "", "", "-Inf", "0", "impossible", "0", "0"}));
  EXPECT_EQ(Line(all[3].begin() + 6, all[3].begin() + 11),
            (Line{"sampled", "1234.5", "0.5", "no cause", "0.7788007830714049"}));
  EXPECT_EQ(all[1][9] + "," + all[1][10], "\"flu; a,b\"");  // quoted: it has a comma
}

TEST_F(AnswerFiles, a_csv_has_the_numbers_of_the_hdf5_to_the_last_bit) {
  write("p.csv");
  write("p.h5");
  const store::PosteriorRows stored = store::read_posterior(path("p.h5"));
  const auto all = lines("p.csv");
  ASSERT_EQ(stored.size() + 1, all.size());
  const auto number = [](const std::string& field) { return std::stod(field); };
  for_each_row(stored, 2, [&](const FoundRow& found) {
    const auto& line = all[found.place + 1];
    for (std::size_t k = 0; k < found.causes.size(); ++k) {
      EXPECT_EQ(number(line[1 + found.causes[k]]), found.probabilities[k]);
    }
    EXPECT_EQ(number(line[4]), stored.log_evidence[found.place]);
    EXPECT_EQ(number(line[5]), stored.log_evidence_error[found.place]);
  });
}

TEST_F(AnswerFiles, json_is_one_object_with_a_result_per_row) {
  write("p.json");
  const auto json = nlohmann::json::parse(store::bytes_of(path("p.json")));
  EXPECT_EQ(json["causes"], header_.causes);
  EXPECT_EQ(json["data_digest"], "0000000000000abc");
  ASSERT_EQ(json["results"].size(), 3U);
  const auto& first = json["results"][0];
  EXPECT_EQ(first["row"], 0);
  EXPECT_EQ(first["causes"][0]["name"], "a,b");  // the most probable first
  EXPECT_EQ(first["causes"][0]["posterior"].get<double>(), 2.0 / 3);
  EXPECT_EQ(first["explanations"].size(), 1U);
  EXPECT_TRUE(json["results"][1]["log_evidence"].is_null());
  EXPECT_EQ(json["results"][2]["method"], "sampled");
}

TEST_F(AnswerFiles, what_is_not_finished_does_not_appear) {
  for (const char* name : {"p.csv", "p.json", "p.h5"}) {
    PosteriorOutput output(answer_arguments({"-o", path(name)}), header_,
                           {header_.causes, {.5, .25, .125}, {}});
    output.append(rows_);
  }
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(AnswerFiles, no_rows_are_a_header_or_an_empty_list) {
  for (const char* name : {"p.csv", "p.json"}) {
    PosteriorOutput output(answer_arguments({"-o", path(name)}), header_,
                           {header_.causes, {.5, .25, .125}, {}});
    output.finish({});
  }
  EXPECT_EQ(lines("p.csv").size(), 1U);
  EXPECT_TRUE(nlohmann::json::parse(store::bytes_of(path("p.json")))["results"].empty());
}

}  // namespace
}  // namespace orrery::family
