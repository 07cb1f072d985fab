// What the learner says of tables that are no noisy-OR networks.
#include "families/noisy_or/quartet/verdict.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "learning/row_sums.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/likelihood.hpp"

namespace orrery::quartet {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

/// 10 columns: 0 to 2 are the answers to one question, 3 and 7 to another, 4 is on with 5 or 6
/// never, which are rare, 8 and 9 are coins.
data::BitPanels answers() {
  data::BitPanels values(10, 5'000);
  std::mt19937_64 random(11);
  for (std::size_t r = 0; r < 5'000; ++r) {
    values.set(r, random() % 3, true);
    values.set(r, random() % 4 == 0 ? 3 : 7, true);
    const std::uint64_t rare = random() % 40;
    if (rare < 3) values.set(r, 4 + rare, true);
    for (const std::size_t a : {8U, 9U}) values.set(r, a, random() % 2 == 0);
  }
  return values;
}

TEST(Verdict, finds_the_answers_to_each_question) {
  const learning::Sampled sampled(answers());
  // That rare columns do not meet says little, and no answer to a question is rare as a whole.
  EXPECT_EQ(exclusive_columns(sampled.moments), (Groups{{0, 1, 2}, {3, 7}}));
}

TEST(Verdict, finds_no_question_in_independent_columns) {
  data::BitPanels values(6, 3'000);
  std::mt19937_64 random(12);
  for (std::size_t r = 0; r < 3'000; ++r) {
    for (std::size_t a = 0; a < 6; ++a) values.set(r, a, random() % 3 == 0);
  }
  const learning::Sampled sampled(std::move(values));
  EXPECT_EQ(exclusive_columns(sampled.moments), Groups{});
}

TEST(HeldOut, is_better_by_more_than_chance_or_not) {
  const TenthMeans one{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  TenthMeans other = one;
  EXPECT_FALSE(is_better(one, other));
  for (double& mean : other) mean -= .2;
  EXPECT_TRUE(is_better(one, other));
  EXPECT_FALSE(is_better(other, one));
  EXPECT_FALSE(is_better(one, other, .3));
  // The difference varies: -1.8 and 2.2 in turn, a mean of 0.2 with a standard error of 0.67.
  for (std::size_t i = 0; i < 10; ++i) other[i] += i % 2 == 0 ? 2 : -2;
  EXPECT_FALSE(is_better(one, other));
}

/// Two causes of six variables each.
model::NoisyOrNetwork two_sixes() {
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 12; ++a) edges.push_back({a / 6, a, .2});
  return {
      {{"a", .3}, {"b", .2}}, std::vector<model::Observed>(12, model::Observed{"x", .05}), edges};
}

std::optional<HeldOutScores> scores_of(const learning::Sampled& sampled, const Grown& network,
                                       int threads) {
  const learning::WithRows with_rows(sampled, std::vector<std::string>(12, "x"), threads);
  return score_held_out(with_rows.context(), network);
}

// A network of the true edges predicts as the truth does, whatever its parameters were before.
// Of two equal causes each is half of the dependence, of however many rows.
TEST(DependenceLeft, is_what_missing_causes_make) {
  const model::NoisyOrNetwork truth = two_sixes();
  std::vector<model::Edge> first;
  for (const model::Edge& edge : truth.edges()) {
    if (edge.cause == 0) first.push_back(edge);
  }
  const std::vector<std::string> names = truth.observed_names();
  for (const std::uint64_t n_rows : {5'000U, 50'000U}) {
    const learning::Sampled sampled(truth, 3, n_rows);
    const learning::WithRows with_rows(sampled, names);
    const learning::LearnContext& context = with_rows.context();
    const auto left = [&](const std::vector<model::Edge>& edges) {
      std::vector<model::Observed> observed;
      for (std::uint32_t a = 0; a < names.size(); ++a) {
        const bool has_cause = !edges.empty() && (a < 6 || edges.size() > 6);
        const double leak = truth.observed()[a].leak;
        observed.push_back({names[a], has_cause ? leak : 1 - sampled.moments.single(a)});
      }
      return dependence_left(context, residuals_of(context, {truth.causes(), observed, edges}));
    };
    EXPECT_LT(left(truth.edges()), .001);
    EXPECT_NEAR(left(first), .5, .03);
    EXPECT_NEAR(left({}), 1, 1e-6);
  }
}

TEST(HeldOut, parameters_come_from_the_other_rows_alone) {
  const model::NoisyOrNetwork truth = two_sixes();
  const learning::Sampled sampled(truth, 5, 900);
  Grown begun = to_grown(truth);
  for (auto& failures : begun.failures) {
    for (double& failure : failures) failure = failure < 1 ? .6 : 1;
  }
  const auto scores = scores_of(sampled, begun, 1);
  ASSERT_TRUE(scores);
  EXPECT_EQ(scores->n_rows, 900U);  // of few rows each tenth in turn
  data::SampleMatrix samples;
  samples.values = sampled.values;
  // 26 parameters from 810 rows cost 26 / 1620 = .016 nats per row, as much as they gain at home.
  const double best = model::mean_log_likelihood(truth, samples, 20);
  EXPECT_LT(mean_of(scores->network), best);
  EXPECT_GT(mean_of(scores->network), best - .05);
  EXPECT_TRUE(is_better(scores->network, scores->tree));
  EXPECT_TRUE(is_better(scores->tree, scores->independent));
  EXPECT_FALSE(is_better(scores->mixture, scores->network));
}

TEST(HeldOut, is_the_same_for_any_number_of_threads_and_sets_a_tenth_aside) {
  const learning::Sampled sampled(two_sixes(), 6, 4'000);
  const auto one = scores_of(sampled, to_grown(two_sixes()), 1);
  const auto three = scores_of(sampled, to_grown(two_sixes()), 3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->n_rows, 400U);
  EXPECT_EQ(one->network, three->network);
  EXPECT_EQ(one->tree, three->tree);
  EXPECT_EQ(one->mixture, three->mixture);
  EXPECT_FALSE(scores_of(learning::Sampled(two_sixes(), 6, 99), to_grown(two_sixes()), 1));
}

}  // namespace
}  // namespace orrery::quartet
