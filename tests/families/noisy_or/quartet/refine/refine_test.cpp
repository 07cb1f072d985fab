// The whole calibrated learner on drawn rows: what it recovers, and the rules it keeps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::KnownParts;

model::LearnedModel learn(const learning::Sampled& sampled, const std::vector<std::string>& names,
                          const KnownParts* known = nullptr, int threads = 1) {
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::RowPass rows(learning::lone_team(), threads, sampled.values, nullptr);
  const learning::LearnContext context{
      learning::lone_team(), threads, 1, sampled.moments, names, nullptr, &rows, 0, stages,
      checkpoints,           known};
  return *entry.learn(context, learning::parse_options(entry, {})).as<model::LearnedModel>();
}

void expect_all(const char* name, std::size_t n_rows) {
  const auto truth = *model::generate_network(name, 1);
  const learning::Sampled sampled(truth, 11, n_rows);
  const auto learned = learn(sampled, truth.observed_names());
  const auto found = noisy_or::score_network(learned, truth);
  EXPECT_EQ(found.recovered, found.n_true) << name;
  EXPECT_EQ(found.extra.size(), 0U) << name;
  ASSERT_EQ(learned.errors.failure.size(), learned.network.edges().size());
  for (std::size_t u = 0; u < learned.network.n_causes(); ++u) {
    EXPECT_GT(learned.errors.prior[u], 0);
    EXPECT_LT(learned.errors.prior[u], .1);
  }
}

TEST(Refinement, one_setting_recovers_every_network) {
  expect_all("img", 500);
  expect_all("img-unif", 500);  // eight of its sixteen causes are in 25 rows each
  expect_all("con:8", 1000);
  expect_all("con:24", 1000);
  expect_all("unif", 1000);
  expect_all("con:8-16,causes=12,leak=.001-.05", 2000);
}

TEST(Refinement, causes_with_three_children_are_found) {
  std::vector<model::Observed> observed(20, {"x", .02});
  for (std::size_t a = 0; a < 20; ++a) observed[a].name = fmt::format("x{}", a);
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 3; ++a) edges.push_back({0, a, .2});
  for (std::uint32_t a = 2; a < 9; ++a) edges.push_back({1, a, .2});
  const model::NoisyOrNetwork truth({{"three", .15}, {"seven", .2}}, observed, edges);
  const learning::Sampled sampled(truth, 4, 4000);
  const auto learned = learn(sampled, truth.observed_names());
  const auto found = noisy_or::score_network(learned, truth);
  EXPECT_EQ(found.recovered, 2U);
  EXPECT_EQ(found.extra.size(), 0U);
}

TEST(Refinement, independent_variables_have_no_cause) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto truth = *model::generate_network("independent:64", seed);
    const learning::Sampled sampled(truth, seed, 1000);
    EXPECT_EQ(learn(sampled, truth.observed_names()).network.n_causes(), 0U) << seed;
  }
}

TEST(Refinement, threads_do_not_change_a_bit) {
  const auto truth = *model::generate_network("con:12", 3);
  const learning::Sampled sampled(truth, 5, 5000);
  const auto names = truth.observed_names();
  const auto one = learn(sampled, names, nullptr, 1);
  const auto three = learn(sampled, names, nullptr, 3);
  ASSERT_EQ(one.network.edges().size(), three.network.edges().size());
  for (std::size_t e = 0; e < one.network.edges().size(); ++e) {
    EXPECT_EQ(one.network.edges()[e].failure, three.network.edges()[e].failure);
  }
  EXPECT_EQ(one.errors, three.errors);
}

class Known : public ::testing::Test {
 protected:
  model::NoisyOrNetwork truth_ = *model::generate_network("con:12", 3);
  std::vector<std::string> names_ = truth_.observed_names();
  learning::Sampled sampled_{truth_, 5, 3000};

  /// Cause 0 of the truth under a name of its own.
  [[nodiscard]] model::NoisyOrNetwork part(const std::string& name) const {
    const auto children = truth_.children(0);
    return {{{name, .3}}, truth_.observed(), {children.begin(), children.end()}};
  }
};

TEST_F(Known, a_structure_is_kept_and_the_rest_is_found) {
  KnownParts known;
  known.structure = part("fever");
  const auto learned = learn(sampled_, names_, &known);
  EXPECT_EQ(noisy_or::score_network(learned, truth_).recovered, truth_.n_causes());
  ASSERT_EQ(learned.network.n_causes(), truth_.n_causes());
  EXPECT_EQ(learned.network.causes()[0].name, "fever");
  ASSERT_EQ(learned.network.children(0).size(), truth_.children(0).size());
  EXPECT_NEAR(learned.network.causes()[0].prior, truth_.causes()[0].prior, .03);
}

// The learner has names of its own for causes on their way: a known one may have any of them.
TEST_F(Known, a_cause_of_any_name_is_told_from_those_that_are_found) {
  for (const char* name : {"new0", "new3", "old1", "split8", "cause1"}) {
    KnownParts known;
    known.structure = part(name);
    const auto learned = learn(sampled_, names_, &known);
    EXPECT_EQ(noisy_or::score_network(learned, truth_).recovered, truth_.n_causes()) << name;
    std::set<std::string> names;
    for (const model::Cause& cause : learned.network.causes()) names.insert(cause.name);
    EXPECT_EQ(names.size(), truth_.n_causes()) << name;
    EXPECT_EQ(learned.network.causes()[0].name, name);
  }
}

TEST_F(Known, a_warm_start_is_free_to_change) {
  KnownParts known;
  known.start = part("fever");
  const auto learned = learn(sampled_, names_, &known);
  const auto found = noisy_or::score_network(learned, truth_);
  EXPECT_EQ(found.recovered, truth_.n_causes());
  EXPECT_EQ(found.extra.size(), 0U);
}

TEST_F(Known, forbidden_edges_are_absent_and_required_ones_present) {
  const std::uint32_t child = truth_.children(0)[0].observed;
  std::uint32_t other = 0;
  while (truth_.failure(0, other) < 1) ++other;
  KnownParts known;
  known.start = part("fever");
  known.forbidden = {{"*", names_[child]}};
  known.required = {{"fever", names_[other]}};
  const auto learned = learn(sampled_, names_, &known);
  bool required = false;
  for (const model::Edge& edge : learned.network.edges()) {
    EXPECT_NE(edge.observed, child);
    required = required ||
               (edge.observed == other && learned.network.causes()[edge.cause].name == "fever");
  }
  EXPECT_TRUE(required);
}

}  // namespace
}  // namespace orrery::quartet
