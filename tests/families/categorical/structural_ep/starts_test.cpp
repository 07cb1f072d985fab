// How many starts are made, which are taken for alike, and that a run broken off between two goes
// on as if it had not been.
#include <gtest/gtest.h>

#include "families/categorical/network/generators.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::structural_ep {
namespace {

struct BrokenOff {};

class Starts : public testing::Test {
 protected:
  Starts() {
    options_.restarts = 6;
    const model::CategoricalNetwork network = model::draw_categorical({2, 16, 1}, 3);
    table_ = model::sample_categorical(network, 3, 0, 400, 0);
  }
  BestStart run(BestStart best, bool break_off) const {
    const learning::RowShare rows(team_, 1, table_.n_rows);
    try {
      run_starts(table_, rows, 2, options_, best, [&](const BestStart&) {
        if (break_off) throw BrokenOff();
      });
    } catch (const BrokenOff&) {
    }
    return best;
  }
  Options options_;
  data::CategoricalTable table_;
  parallel::Team team_;
};

TEST_F(Starts, are_all_made_where_agreement_does_not_count) {
  options_.agreements = 0;
  const BestStart best = run({}, false);
  EXPECT_EQ(best.n_done, 6U);
  EXPECT_GE(best.n_agreeing, 2U);  // two causes of eight variables each: all starts find them
}

TEST_F(Starts, end_when_two_have_come_to_the_best_evidence) {
  options_.agreements = 0;
  const BestStart all = run({}, false);
  options_.agreements = -1;  // as many as causes
  const BestStart some = run({}, false);
  EXPECT_EQ(some.n_agreeing, 2U);
  EXPECT_LT(some.n_done, 6U);
  EXPECT_NEAR(some.log_evidence, all.log_evidence, 1e-2);
}

// Networks with two parents have more local optima that many starts come to.
TEST_F(Starts, must_agree_twice_as_often_with_two_parents) {
  EXPECT_EQ(sufficient_agreements(options_, 4), 4U);
  options_.max_parents = 2;
  EXPECT_EQ(sufficient_agreements(options_, 4), 8U);
  options_.agreements = 3;
  EXPECT_EQ(sufficient_agreements(options_, 4), 3U);
}

TEST_F(Starts, that_agree_are_remembered_by_a_run_that_goes_on) {
  const BestStart whole = run({}, false);
  BestStart best;
  while (!is_over(best, options_, 2)) best = run(std::move(best), true);
  EXPECT_EQ(best.n_done, whole.n_done);
  EXPECT_EQ(best.n_agreeing, whole.n_agreeing);
  EXPECT_EQ(best.log_evidence, whole.log_evidence);
  EXPECT_EQ(best.start.states, whole.start.states);
}

TEST_F(Starts, whose_merges_lead_where_the_best_one_came_from_agree_with_it) {
  BestStart best = run({}, false);
  ASSERT_EQ(best.merged.states.size(), 2U);
  // No start that is brought to an end could be as good.
  best.log_evidence += 1000;
  best.n_done = 1;
  best.n_agreeing = 1;
  best.begun = {2, 0, best.merged};
  options_.agreements = 0;
  options_.restarts = 2;
  BestStart other = best;
  for (std::size_t row = 0; row < 100; ++row) other.begun.start.states[0][row] ^= 1;
  best = run(std::move(best), false);
  EXPECT_EQ(best.n_done, 2U);
  EXPECT_EQ(best.n_agreeing, 2U);
  other = run(std::move(other), false);
  EXPECT_EQ(other.n_done, 2U);
  EXPECT_EQ(other.n_agreeing, 1U);
}

/// Two causes of ten variables in 400 rows.
Start two_causes() {
  Start start;
  for (std::uint32_t i = 0; i < 10; ++i) start.sets.push_back(i % 2);
  start.states.assign(2, std::vector<std::uint8_t>(400));
  for (std::size_t row = 0; row < 400; ++row) {
    start.states[0][row] = row % 3 == 0;
    start.states[1][row] = row % 4 == 0;
  }
  return start;
}

TEST_F(Starts, are_alike_whatever_the_numbers_of_causes_and_states) {
  const learning::RowShare rows(team_, 1, table_.n_rows);
  const Start a = two_causes();
  EXPECT_TRUE(are_alike(a, a, table_, rows, options_));
  Start b = a;
  std::swap(b.states[0], b.states[1]);
  EXPECT_FALSE(are_alike(a, b, table_, rows, options_));  // causes of others' variables
  for (std::uint32_t& set : b.sets) set = 1 - set;
  EXPECT_TRUE(are_alike(a, b, table_, rows, options_));
  for (std::uint8_t& state : b.states[0]) state = 1 - state;
  EXPECT_TRUE(are_alike(a, b, table_, rows, options_));
}

TEST_F(Starts, are_not_alike_that_differ_in_rows_or_variables) {
  const learning::RowShare rows(team_, 1, table_.n_rows);
  const Start a = two_causes();
  Start b = a;
  for (std::size_t row = 0; row < 6; ++row) b.states[1][row] ^= 1;
  EXPECT_TRUE(are_alike(a, b, table_, rows, options_));
  for (std::size_t row = 6; row < 10; ++row) b.states[1][row] ^= 1;
  EXPECT_FALSE(are_alike(a, b, table_, rows, options_));
  b = a;
  b.sets[0] = 1;
  EXPECT_TRUE(are_alike(a, b, table_, rows, options_));
  b.sets[2] = 1;
  EXPECT_FALSE(are_alike(a, b, table_, rows, options_));
  options_.max_parents = 2;
  EXPECT_TRUE(are_alike(a, b, table_, rows, options_));
}

}  // namespace
}  // namespace orrery::structural_ep
