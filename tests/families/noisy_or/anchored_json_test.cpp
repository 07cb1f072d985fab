#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/model_files.hpp"
#include "model/anchored_oracle.hpp"
#include "model/same_model.hpp"
#include "model/temporary_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

LearnedModel anchored_of(const std::string& text) {
  const TemporaryFile file(text);
  return read_network_json(file.path());
}

std::string anchored_json_refusal(const std::string& text) {
  try {
    (void)anchored_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& text, const std::string& part) {
  const std::string message = anchored_json_refusal(text);
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(message.find("orrery_model_"), std::string::npos) << "no file in: " << message;
  EXPECT_EQ(message.find(".json: /"), std::string::npos) << "the file twice in: " << message;
}

constexpr const char* short_file = R"({"format": "orrery-anchored-1", "other": [1],
  "causes": [{}, {"name": "cold"}], "observed": [{"leak": 0.1}, {"leak": 0}],
  "cause_tables": [{"parents": [1], "on": [0.25, 0.75]}, {"parents": [], "on": [0.5]}],
  "anchors": [{"cause": 1, "observed": 0, "columns": ["p", "q"]}, {"cause": 0, "observed": 1}],
  "edges": [[1, 0, 0.5], [0, 1, 0.25], [1, 1, 1]]})";

TEST(AnchoredJson, what_may_be_left_out_is_filled_in) {
  const LearnedModel found = anchored_of(short_file);
  EXPECT_EQ(found.network.causes()[0].name, "y0");
  EXPECT_EQ(found.network.observed()[1].name, "x1");
  EXPECT_EQ(found.network.causes()[0].prior, .5);
  EXPECT_EQ(found.network.edges().size(), 2U);
  EXPECT_EQ(found.network.anchors()[0], (Anchor{0, 1}));
  EXPECT_EQ(found.network.anchors()[1], (Anchor{1, 0, {"p", "q"}}));
  EXPECT_TRUE(found.rates.empty());
  EXPECT_TRUE(found.errors.empty());
  EXPECT_EQ(found.moments.order(), 0U);
  EXPECT_EQ(found.n_samples, 0U);
}

TEST(AnchoredJson, rates_follow_their_anchors_whatever_the_order_in_the_file) {
  std::string text = short_file;
  text.replace(text.find("\"cause\": 1,"), 11, "\"off\": 0.1, \"on\": 0.2, \"cause\": 1,");
  text.replace(text.find("\"cause\": 0,"), 11, "\"off\": 0.3, \"on\": 0.4, \"cause\": 0,");
  const LearnedModel found = anchored_of(text);
  ASSERT_EQ(found.rates.size(), 2U);
  EXPECT_EQ(found.rates[0].off, .3);
  EXPECT_EQ(found.rates[1].on, .2);
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = short_file;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(AnchoredJson, refuses_what_is_no_network_and_names_the_entry) {
  expect_refused(replaced("anchored-1", "anchored-2"), "this version reads \"orrery-network-1\"");
  expect_refused(replaced("cause_tables", "tables"), "cause_tables is missing");
  expect_refused(replaced("\"anchors\"", "\"anchor\""), "anchors is missing");
  expect_refused(replaced("\"on\": [0.5]", "\"on\": [1.5]"), "cause_tables[1].on[0] = 1.5");
  expect_refused(replaced("\"on\": [0.5]", "\"on\": [0.5, 0.5]"), "cause_tables[1].on has 2");
  expect_refused(replaced("\"parents\": [1]", "\"parents\": [0.5]"),
                 "cause_tables[0].parents[0] = 0.5");
  expect_refused(replaced("\"parents\": [1]", "\"parents\": [2]"), "there are 2 causes");
  expect_refused(replaced("\"parents\": [], \"on\": [0.5]", "\"parents\": [0], \"on\": [0.5, 1]"),
                 "0 -> 1 -> 0");
  expect_refused(replaced(", {\"parents\": [], \"on\": [0.5]}", ""),
                 "cause_tables has 1 values; 2 are needed");
  expect_refused(replaced("\"observed\": 0,", "\"observed\": 2,"), "anchors[0].observed = 2");
  expect_refused(replaced("\"observed\": 0,", "\"observed\": 1,"), "can be an anchor once");
  expect_refused(replaced("\"p\"", "\"q\""), "column \"q\" stands in");
  expect_refused(replaced("\"p\"", "\"\""), "anchors[0].columns[0]");
  expect_refused(replaced("\"p\"", "7"), "anchors[0].columns[0] = 7");
  expect_refused(replaced("{},", "{\"prior\": 0.25},"), "0.5 is what the tables of the causes say");
  expect_refused(replaced("0.25], [1, 1, 1]", "-0.25], [1, 1, 1]"), "edges[1][2] = -0.25");
  expect_refused(replaced("\"cause\": 1,", "\"cause\": 1, \"off\": 0.1,"), "anchors[1].off");
}

TEST(AnchoredJson, refuses_moments_that_are_not_those_of_every_small_set) {
  const auto with = [](const std::string& order, const std::string& moments) {
    return replaced("\"other\": [1]", "\"moments_order\": " + order + ", \"moments\": " + moments);
  };
  EXPECT_EQ(anchored_json_refusal(with("1", "[[[0], [0.5, 0.5]], [[1], [0.25, 0.75]]]")),
            "accepted");
  expect_refused(with("1", "[[[1], [0.5, 0.5]], [[0], [0.5, 0.5]]]"), "the causes [0] are next");
  expect_refused(with("1", "[[[0], [0.5]], [[1], [0.5, 0.5]]]"), "moments[0][1] has 1 values");
  expect_refused(with("1", "[[[0], [1.5, 0]], [[1], [0.5, 0.5]]]"), "moments[0][1][0] = 1.5");
  expect_refused(with("1", "[[[0], [1, null]], [[1], [0.5, 0.5]]]"), "moments[0][1][1] = null");
  expect_refused(with("2", "[[[0], [0.5, 0.5]], [[1], [0.5, 0.5]]]"),
                 "moments are of order 2 and 2 tables");
  expect_refused(with("1", "[]"), "moments");
  expect_refused(with("7", "[]"), "moments are of order 7");
}

// A prior that does not follow must stand.
TEST(AnchoredJson, priors_are_needed_of_causes_too_coupled_for_sums) {
  LearnedModel learned;
  const CauseNetwork wide = oracle::random_causes(1, 300, 4);
  std::vector<Cause> names;
  for (int i = 0; i < 300; ++i) names.push_back({fmt::format("y{}", i), .125});
  learned.network = {NoisyOrNetwork(names, {{"x", .1}}, {}), wide, {}};
  std::string text = to_network_json(learned);
  expect_same(anchored_of(text), learned);
  const std::string prior = ", \"prior\": 0.125";
  expect_refused(text.erase(text.find(prior), prior.size()), "causes[0].prior is missing");
}

}  // namespace
}  // namespace orrery::model
