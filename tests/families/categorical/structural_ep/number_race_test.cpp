// The race of numbers of causes: which is judged by the next part of the rows, and which wins.
#include "families/categorical/structural_ep/number_race.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

namespace orrery::structural_ep {
namespace {

/// What a number predicts a row with, by its place and the row.
using Predict = std::function<double(std::size_t place, std::size_t row)>;

/// Differs from row to row, the same for all numbers, and is -60 on average.
double level(std::size_t row) { return -60 + 5 * std::sin(static_cast<double>(row)); }

/// Differs from row to row and from number to number: errors of about 0.7.
double noise(std::size_t place, std::size_t row) {
  return std::sin(static_cast<double>((place + 1) * 7919 + (place + 3) * row));
}

void judge_next(std::vector<Trial>& trials, std::size_t place, std::size_t rows_a_part,
                const Predict& predict) {
  Trial& trial = trials[place];
  for (std::size_t i = 0; i < rows_a_part; ++i) {
    trial.held_out.push_back(predict(place, trial.held_out.size()));
  }
  trial.ends.push_back(trial.held_out.size());
}

/// Parts that each number was judged by when the race was over.
std::vector<std::size_t> run(std::vector<Trial>& trials, const RaceRules& rules,
                             const Predict& predict) {
  while (const auto place = next_to_try(trials, rules)) {
    judge_next(trials, *place, rules.n_rows / rules.n_parts, predict);
  }
  std::vector<std::size_t> n_parts;
  for (const Trial& trial : trials) n_parts.push_back(trial.ends.size());
  return n_parts;
}

TEST(NumberRace, one_number_needs_no_race) {
  EXPECT_FALSE(next_to_try({}, {5, 1000, false}));
  EXPECT_FALSE(winner({}, {5, 1000, false}));
  EXPECT_TRUE(choices(1, {}, {5, 1000, false}).empty());
}

// Three causes are half a nat a row better than two, and a fourth and a fifth have no variables.
TEST(NumberRace, a_clear_winner_is_known_after_one_part) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + .5 * static_cast<double>(std::min<std::size_t>(place, 2));
  };
  std::vector<Trial> trials(8);
  EXPECT_EQ(run(trials, {5, 1000, true}, predict),
            (std::vector<std::size_t>{1, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(winner(trials, {5, 1000, true}), 2U);
  trials.assign(8, {});
  EXPECT_EQ(run(trials, {5, 1000, false}, predict), std::vector<std::size_t>(8, 1));
  EXPECT_EQ(winner(trials, {5, 1000, false}), 2U);
}

// Two numbers differ by less than one part can tell; the third by much.
TEST(NumberRace, close_numbers_are_judged_by_every_part) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + noise(place, row) + (place == 1 ? .05 : place == 2 ? -2 : 0);
  };
  std::vector<Trial> trials(3);
  const RaceRules rules{5, 1000, false};
  EXPECT_EQ(run(trials, rules, predict), (std::vector<std::size_t>{5, 5, 1}));
  EXPECT_EQ(winner(trials, rules), 1U);
}

TEST(NumberRace, few_rows_decide_nothing) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + static_cast<double>(place);
  };
  std::vector<Trial> trials(2);
  EXPECT_EQ(run(trials, {5, 100, false}, predict), (std::vector<std::size_t>{3, 3}));  // 60 rows
}

TEST(NumberRace, a_gain_of_less_than_a_nat_is_not_worth_a_cause) {
  std::vector<Trial> trials(2);
  const RaceRules rules{2, 1000, false};
  double gain = .0009;
  const Predict predict = [&](std::size_t place, std::size_t row) {
    return level(row) + gain * static_cast<double>(place);
  };
  run(trials, rules, predict);
  EXPECT_EQ(winner(trials, rules), 0U);
  gain = .0011;
  trials.assign(2, {});
  run(trials, rules, predict);
  EXPECT_EQ(winner(trials, rules), 1U);
}

// A run whose time is over: what one number alone was judged by is not compared.
TEST(NumberRace, a_race_broken_off_has_the_winner_so_far) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + noise(place, row) + (place == 0 && row >= 200 ? 9 : .1 * double(place));
  };
  const RaceRules rules{5, 1000, false};
  std::vector<Trial> trials(2);
  for (const std::size_t place : {0, 1, 0}) judge_next(trials, place, 200, predict);
  EXPECT_EQ(winner(trials, rules), 1U);
  judge_next(trials, 1, 200, predict);
  EXPECT_EQ(winner(trials, rules), 0U);
}

/// What wins where place 0 is no cause, and each number of causes predicts a row with `gain` more
/// and errors of `noise_of_causes` times 0.7.
std::optional<std::size_t> winner_beside_none(double gain, double noise_of_causes) {
  const Predict predict = [&](std::size_t place, std::size_t row) {
    return level(row) + (place == 0 ? 0 : gain + noise_of_causes * noise(place, row));
  };
  const RaceRules rules{5, 1000, true, true};
  std::vector<Trial> trials(4);
  run(trials, rules, predict);
  return winner(trials, rules);
}

TEST(NumberRace, causes_must_predict_better_than_none_by_more_than_chance) {
  EXPECT_EQ(winner_beside_none(-.1, 0), 0U);
  EXPECT_EQ(winner_beside_none(.0009, 0), 0U);  // less than a nat over all rows
  EXPECT_EQ(winner_beside_none(.0011, 0), 1U);
  EXPECT_EQ(winner_beside_none(.01, 1), 0U);  // the standard error is 0.02
  EXPECT_GT(winner_beside_none(.1, 1).value_or(0), 0U);
}

// One cause and two are worse than none, three are better by much: none is not where the race began
// to be idle.
TEST(NumberRace, none_does_not_end_the_race_early) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + std::array{0., -.2, -.1, 2., 2.}[place];
  };
  const RaceRules rules{5, 1000, true, true};
  std::vector<Trial> trials(5);
  EXPECT_EQ(run(trials, rules, predict), (std::vector<std::size_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(winner(trials, rules), 3U);
  const auto gain = gain_over_none(trials, rules);
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->place, 3U);
  EXPECT_NEAR(gain->mean, 2, 1e-9);
  EXPECT_NEAR(gain->error, 0, 1e-9);
  EXPECT_EQ(choices(0, trials, rules).front().n_causes, 0U);
}

TEST(NumberRace, there_is_no_gain_before_a_number_of_causes_was_judged) {
  const RaceRules rules{5, 1000, true, true};
  std::vector<Trial> trials(3);
  EXPECT_FALSE(gain_over_none(trials, rules));
  judge_next(trials, 0, 200, [](std::size_t, std::size_t row) { return level(row); });
  EXPECT_FALSE(gain_over_none(trials, rules));
  judge_next(trials, 1, 200, [](std::size_t, std::size_t row) { return level(row) + 1; });
  EXPECT_TRUE(gain_over_none(trials, rules));
  EXPECT_FALSE(gain_over_none(trials, {5, 1000, true, false}));  // place 0 is a number of causes
}

// Rows of the first part are easier; a number judged by them alone must not look better for it.
TEST(NumberRace, numbers_are_told_as_if_judged_by_the_same_rows) {
  const Predict predict = [](std::size_t place, std::size_t row) {
    return level(row) + (row < 200 ? 10 : 0) + noise(place, row) - (place == 2 ? 3 : 0);
  };
  std::vector<Trial> trials(3);
  const RaceRules rules{5, 1000, false};
  ASSERT_EQ(run(trials, rules, predict), (std::vector<std::size_t>{5, 5, 1}));
  const auto told = choices(4, trials, rules);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[2].n_causes, 6U);
  EXPECT_NEAR(told[2].held_out, told[0].held_out - 3, .2);
  // Of one judged by all rows: the usual mean and its standard error.
  double mean = 0;
  double squares = 0;
  for (const double value : trials[1].held_out) {
    mean += value / 1000;
    squares += value * value / 1000;
  }
  for (std::size_t place = 0; place < 2; ++place) EXPECT_LT(told[place].held_out, -50);
  EXPECT_NEAR(told[1].held_out, mean, 1e-9);
  EXPECT_NEAR(told[1].error, std::sqrt((squares - mean * mean) / 1000), 1e-6);
  EXPECT_GT(told[2].error, told[1].error);  // fewer rows
}

}  // namespace
}  // namespace orrery::structural_ep
