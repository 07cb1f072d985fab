// The bootstrap of learned causes and edges.
#include "learning/stability.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "learning/resample.hpp"
#include "learning/row_slices.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "moments/chosen_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::learning {
namespace {

/// Two causes of six children each; the second is present with `rare`.
model::NoisyOrNetwork strong_and_weak(double rare) {
  std::vector<model::Edge> edges;
  for (std::uint32_t x = 0; x < 12; ++x) edges.push_back({x / 6, x, .2});
  std::vector<model::Observed> observed;
  for (std::uint32_t x = 0; x < 14; ++x) observed.push_back({fmt::format("x{}", x), .05});
  return {{{"strong", .3}, {"weak", rare}}, std::move(observed), std::move(edges)};
}

model::LearnedModel learn_rows(const Sampled& sampled, const std::vector<std::string>& names,
                               std::vector<std::string> arguments, int threads = 1,
                               std::size_t memory_bytes = 0, const RowPass* given = nullptr) {
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  Checkpoints checkpoints;
  const RowPass whole(lone_team(), threads, sampled.values, nullptr);
  const RowPass* rows = given != nullptr ? given : &whole;
  const LearnContext context{lone_team(), threads,      1,      sampled.moments, names, nullptr,
                             rows,        memory_bytes, stages, checkpoints};
  return *quartet::entry.learn(context, parse_options(quartet::entry, arguments))
              .as<model::LearnedModel>();
}

/// The learned cause that is number `u` of the truth.
std::size_t learned_as(const model::NoisyOrNetwork& truth, const model::LearnedModel& model,
                       std::size_t u) {
  const auto same = found_again(truth, model.network);
  EXPECT_TRUE(same[u]) << truth.causes()[u].name << " was not learned";
  return same[u].value_or(0);
}

TEST(Stability, a_resample_of_chosen_columns_has_the_same_rows_as_one_of_all) {
  const auto truth = strong_and_weak(.1);
  const Sampled sampled(truth, 5, 1000);
  const std::vector<std::uint32_t> columns{1, 3, 4, 8, 13};
  const std::vector<std::string> all_names = truth.observed_names();
  std::vector<std::string> names;
  for (const std::uint32_t a : columns) names.push_back(all_names[a]);
  std::vector<Stage> stages;
  Checkpoints checkpoints;
  const RowPass rows(lone_team(), 2, sampled.values, nullptr);
  const RowPass chosen_rows = rows.with_columns(columns);
  const moments::ChosenMoments chosen_moments(sampled.moments, columns);
  const LearnContext all{lone_team(), 2,     1, sampled.moments, all_names,
                         nullptr,     &rows, 0, stages,          checkpoints};
  const LearnContext chosen{lone_team(),  2, 1,      chosen_moments, names, nullptr,
                            &chosen_rows, 0, stages, checkpoints};
  Resample of_all(all);
  Resample of_chosen(chosen);
  of_all.draw(3);
  of_chosen.draw(3);
  const LearnContext expected = of_all.context();
  const LearnContext found = of_chosen.context();
  EXPECT_EQ(found.names, names);
  EXPECT_EQ(found.rows->values()->n_columns(), columns.size());
  EXPECT_NE(expected.moments.pair(1, 3), sampled.moments.pair(1, 3));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      EXPECT_EQ(found.moments.pair(i, j), expected.moments.pair(columns[i], columns[j]));
    }
  }
}

// The weak cause is present in some 15 of 1,000 rows: of the resamples, which have 7 to 23 of them,
// those with few do not show it.
TEST(Stability, strong_causes_are_found_again_and_weak_ones_less_often) {
  const auto truth = strong_and_weak(.015);
  const Sampled sampled(truth, 5, 1000);
  const auto model =
      learn_rows(sampled, truth.observed_names(), {"--refine", "none", "--stability", "40"}, 2);
  ASSERT_EQ(model.stability.resamples, 40U);
  ASSERT_EQ(model.stability.cause.size(), model.network.n_causes());
  ASSERT_EQ(model.stability.edge.size(), model.network.edges().size());
  const std::size_t strong = learned_as(truth, model, 0);
  const std::size_t weak = learned_as(truth, model, 1);
  EXPECT_GE(model.stability.cause[strong], .95);
  EXPECT_LT(model.stability.cause[weak], .9);
  double of_strong = 1;
  for (std::size_t e = 0; e < model.network.edges().size(); ++e) {
    const model::Edge& edge = model.network.edges()[e];
    EXPECT_LE(model.stability.edge[e], model.stability.cause[edge.cause]);
    if (edge.cause == strong && truth.failure(0, edge.observed) < 1) {
      of_strong = std::min(of_strong, model.stability.edge[e]);
    }
  }
  EXPECT_GE(of_strong, .95);
}

TEST(Stability, refined_causes_have_one_and_threads_do_not_change_it) {
  const auto truth = strong_and_weak(.1);
  const Sampled sampled(truth, 2, 500);
  const auto alone = learn_rows(sampled, truth.observed_names(), {"--stability", "5"}, 1);
  const auto shared = learn_rows(sampled, truth.observed_names(), {"--stability", "5"}, 3);
  EXPECT_EQ(alone.stability.resamples, 5U);
  EXPECT_EQ(alone.stability, shared.stability);
  EXPECT_EQ(alone.network.edges(), shared.network.edges());
  EXPECT_GE(alone.stability.cause[learned_as(truth, alone, 0)], .8);
  // What is learned is what is learned without.
  const auto without = learn_rows(sampled, truth.observed_names(), {});
  EXPECT_EQ(without.stability, model::Stability{});
  EXPECT_EQ(without.network.edges(), alone.network.edges());
}

TEST(Stability, is_refused_without_rows_or_room_for_a_second_copy) {
  const auto truth = strong_and_weak(.1);
  const Sampled sampled(truth, 2, 500);
  EXPECT_THROW(learn_quartet(sampled.moments, truth.observed_names(), {"--stability", "5"}),
               UsageError);
  EXPECT_THROW(learn_rows(sampled, truth.observed_names(), {"--stability", "5"}, 1, 500),
               UsageError);
  EXPECT_THROW(learn_rows(sampled, truth.observed_names(), {"--stability", "-1"}), UsageError);
  const RowSlices slices(lone_team(), sampled.values, nullptr);
  const RowPass in_slices(lone_team(), 1, slices, 500);
  EXPECT_THROW(learn_rows(sampled, truth.observed_names(), {"--stability", "5"}, 1, 0, &in_slices),
               UsageError);
}

TEST(FoundAgain, the_most_similar_first_each_once) {
  const std::vector<model::Observed> observed{{"a", .1}, {"b", .1}, {"c", .1}, {"d", .1}};
  const auto cause = [](std::uint32_t u, std::array<double, 4> failures,
                        std::vector<model::Edge>& edges) {
    for (std::uint32_t x = 0; x < 4; ++x) edges.push_back({u, x, failures[x]});
  };
  std::vector<model::Edge> learned;
  cause(0, {.2, .2, .2, 1}, learned);
  cause(1, {.2, .2, .2, .6}, learned);
  cause(2, {1, 1, 1, .2}, learned);
  std::vector<model::Edge> again;
  cause(0, {.2, .2, .2, .6}, again);  // the second, though the first is similar too
  cause(1, {1, 1, .2, .2}, again);    // cosine .71 with the third: another
  const auto same = found_again({{{"u", .1}, {"v", .1}, {"w", .1}}, observed, learned},
                                {{{"u", .1}, {"v", .1}}, observed, again});
  EXPECT_EQ(same, (std::vector<std::optional<std::size_t>>{std::nullopt, 0, std::nullopt}));
}

}  // namespace
}  // namespace orrery::learning
