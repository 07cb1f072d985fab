// Columns that repeat another one, or nearly.
#include "families/noisy_or/quartet/copies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/log.hpp"
#include "data/bits.hpp"
#include "learning/row_slices.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

/// 12 columns of 4,000 rows: 0 to 3 follow one coin, each wrong in 1 % of the rows; 4 and 5 another
/// coin, each wrong in a tenth; 6 is 7 and 8 is nearly 9; 10 and 11 are on in the first two rows.
data::BitPanels columns_alike() {
  data::BitPanels values(12, 4'000);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  const auto is = [&](double p) { return uniform(random) < p; };
  for (std::size_t r = 0; r < 4'000; ++r) {
    const bool strong = is(.3), weak = is(.4), coin = is(.5), other = is(.25);
    for (std::size_t a = 0; a < 4; ++a) values.set(r, a, strong != is(.01));
    for (std::size_t a = 4; a < 6; ++a) values.set(r, a, weak != is(.1));
    values.set(r, 6, coin);
    values.set(r, 7, coin);
    values.set(r, 8, other);
    values.set(r, 9, other != is(.01));
    values.set(r, 10, r < 2);
    values.set(r, 11, r < 2);
  }
  return values;
}

TEST(Copies, are_columns_closer_to_each_other_than_to_all_others) {
  const learning::Sampled sampled(columns_alike());
  const Copies copies = find_copies(sampled.moments, 2);
  // Four alike may be the children of a cause; of two rows nobody can tell.
  EXPECT_EQ(copies.original, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 6, 8, 8, 10, 11}));
  EXPECT_EQ(copies.kept(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 8, 10, 11}));
  EXPECT_FALSE(copies.none());
}

TEST(Copies, are_none_where_a_third_column_is_as_close) {
  data::BitPanels values(3, 4'000);
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> uniform;
  for (std::size_t r = 0; r < 4'000; ++r) {
    const bool on = uniform(random) < .3;
    values.set(r, 0, on);
    values.set(r, 1, on != (uniform(random) < .04));
    values.set(r, 2, on != (uniform(random) < .06));
  }
  // 0 and 1 agree in 96 % of the rows, 0 and 2 in 94 %: children of one cause.
  const learning::Sampled sampled(std::move(values));
  EXPECT_EQ(find_copies(sampled.moments, 2).original, (std::vector<std::uint32_t>{0, 1, 2}));
}

/// 8 children of a cause: 0 and 1 are on in 99 % of its rows, the others in 80 %; 8 is nearly
/// column 2.
data::BitPanels children_and_a_copy() {
  data::BitPanels values(9, 8'000);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  const auto is = [&](double p) { return uniform(random) < p; };
  for (std::size_t r = 0; r < 8'000; ++r) {
    const bool cause = is(.2);
    for (std::size_t a = 0; a < 8; ++a) {
      values.set(r, a, (cause && is(a < 2 ? .99 : .8)) || is(.0005));
    }
    values.set(r, 8, values.at(r, 2) != is(.01));
  }
  return values;
}

TEST(Copies, differ_where_their_cause_is_off_too) {
  // Columns 0 and 1 are seven times closer to each other than to any other, and differ where the
  // cause is on.
  const learning::Sampled sampled(children_and_a_copy());
  EXPECT_EQ(find_copies(sampled.moments, 2).original,
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 2}));
}

/// 8 children of a rare cause, which fail in a tenth of its rows and are on in a hundredth of the
/// others; 8 is column 2 with 2 % of its values flipped, 9 and 10 are column 3.
data::BitPanels children_of_a_rare_cause() {
  data::BitPanels values(11, 10'000);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform;
  const auto is = [&](double p) { return uniform(random) < p; };
  for (std::size_t r = 0; r < 10'000; ++r) {
    const bool cause = is(.1);
    for (std::size_t a = 0; a < 8; ++a) values.set(r, a, (cause && is(.9)) || is(.01));
    values.set(r, 8, values.at(r, 2) != is(.02));
    values.set(r, 9, values.at(r, 3));
    values.set(r, 10, values.at(r, 3));
  }
  return values;
}

TEST(Copies, fail_with_their_original_where_a_witness_is_on) {
  // The flipped copy is hardly closer to its original than the children of the cause are.
  const learning::Sampled sampled(children_of_a_rare_cause());
  EXPECT_EQ(find_copies(sampled.moments, 2).original,
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 3}));
}

/// 6 children of a rare cause that hardly ever fail, with more leaks than rows of the cause that
/// fail: where two of them differ no witness is on, as with copies.
TEST(Copies, are_not_the_children_of_a_cause_that_never_fails) {
  data::BitPanels values(6, 10'000);
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform;
  const auto is = [&](double p) { return uniform(random) < p; };
  for (std::size_t r = 0; r < 10'000; ++r) {
    const bool cause = is(.05);
    for (std::size_t a = 0; a < 6; ++a) values.set(r, a, (cause && is(.99)) || is(.008));
  }
  const learning::Sampled sampled(std::move(values));
  EXPECT_TRUE(find_copies(sampled.moments, 2).none());
}

/// Columns 0 and 1 are children of a cause that is on in half of the rows of another one, whose
/// children 2 to 5 are: beside these the two agree, but where the two differ, these are on.
TEST(Copies, are_not_the_children_of_a_cause_that_needs_another) {
  data::BitPanels values(6, 10'000);
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> uniform;
  const auto is = [&](double p) { return uniform(random) < p; };
  for (std::size_t r = 0; r < 10'000; ++r) {
    const bool needed = is(.4);
    const bool cause = needed && is(.5);
    for (std::size_t a = 0; a < 2; ++a) values.set(r, a, cause && is(.94));
    for (std::size_t a = 2; a < 6; ++a) values.set(r, a, needed && is(.8));
  }
  const learning::Sampled sampled(std::move(values));
  EXPECT_TRUE(find_copies(sampled.moments, 2).none());
}

TEST(Copies, are_given_the_causes_of_their_original) {
  const learning::Sampled sampled(columns_alike());
  const Copies copies = find_copies(sampled.moments, 2);
  std::vector<std::string> names;
  for (int a = 0; a < 12; ++a) names.push_back(fmt::format("x{}", a));
  model::LearnedModel kept;
  std::vector<model::Observed> observed;
  for (const std::uint32_t a : copies.kept()) observed.push_back({names[a], .01 * (a + 1)});
  kept.network = {{{"u", .2}, {"v", .3}}, observed, {{0, 6, .1}, {1, 0, .2}, {1, 7, .4}}};
  kept.provenance.resize(2);
  kept.provenance[1].quartet = {0, 6, 7, 9};
  kept.errors = {{.01, .02}, std::vector<double>(10, .001), {.1, .2, .3}};
  const model::LearnedModel model = with_copies(kept, copies, names, sampled.moments);
  EXPECT_EQ(model.network.n_observed(), 12);
  EXPECT_EQ(model.network.edges(),
            (std::vector<model::Edge>{{0, 6, .1}, {0, 7, .1}, {1, 0, .2}, {1, 8, .4}, {1, 9, .4}}));
  EXPECT_EQ(model.network.observed()[7].name, "x7");
  EXPECT_NEAR(model.network.observed()[7].leak, .07, 1e-15);  // an exact copy
  const auto off = [&](std::size_t a) { return sampled.moments.single(a); };
  EXPECT_NEAR(1 - model.network.observed()[9].leak, .91 * off(9) / off(8), 1e-12);
  EXPECT_EQ(model.provenance[1].quartet, (std::array<std::int32_t, 4>{0, 6, 8, 11}));
  ASSERT_EQ(model.errors.leak.size(), 12);
  EXPECT_TRUE(std::isnan(model.errors.leak[7]));
  EXPECT_EQ(model.errors.leak[8], .001);
  ASSERT_EQ(model.errors.failure.size(), 5);
  EXPECT_EQ(model.errors.failure[0], .1);
  EXPECT_TRUE(std::isnan(model.errors.failure[1]));
  EXPECT_EQ(model.errors.failure[3], .3);
  ASSERT_EQ(model.remarks.size(), 1);
  EXPECT_NE(model.remarks[0].find("x7 of x6, x9 of x8"), std::string::npos);
}

/// How many columns `learn` is given, of 4,000 rows whose moments it is given.
std::size_t columns_learned_from(const learning::RowPass& rows, const learning::Sampled& sampled) {
  log::configure(log::Level::quiet, true);
  const std::vector<std::string> names(12, "x");
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::LearnContext context{
      learning::lone_team(), 1, 1, sampled.moments, names, nullptr, &rows, 0, stages, checkpoints};
  std::size_t n_columns = 0;
  (void)learn_without_copies(context, [&](const learning::LearnContext& kept) {
    n_columns = kept.names.size();
    EXPECT_EQ(kept.moments.n_observed(), n_columns);
    const std::vector<double> on = kept.rows->sum(
        n_columns, [&](const learning::RowBlock& block, int, std::span<double> sums) {
          for (std::size_t i = 0; i < block.n_rows; ++i) {
            data::for_each_bit(block.row(i), [&](std::size_t a) { ++sums[a]; });
          }
        });
    for (std::size_t a = 0; a < n_columns; ++a) {
      EXPECT_NEAR(on[a], 4'000 * (1 - kept.moments.single(a)), 1e-6) << a;
    }
    model::LearnedModel model;
    std::vector<model::Observed> observed;
    for (const std::string& name : kept.names) observed.push_back({name, .1});
    model.network = {{}, observed, {}};
    return model;
  });
  return n_columns;
}

TEST(Copies, are_set_aside_however_the_rows_are_held) {
  const learning::Sampled sampled(columns_alike());
  const learning::RowPass whole(learning::lone_team(), 1, sampled.values, nullptr);
  EXPECT_EQ(columns_learned_from(whole, sampled), 10);
  const learning::RowSlices slices(learning::lone_team(), sampled.values, nullptr);
  const learning::RowPass in_slices(learning::lone_team(), 1, slices, 4'000);
  EXPECT_EQ(columns_learned_from(in_slices, sampled), 10);
}

}  // namespace
}  // namespace orrery::quartet
