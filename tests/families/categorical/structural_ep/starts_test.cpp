// How many starts are made, and that a run broken off between two goes on as if it had not been.
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

}  // namespace
}  // namespace orrery::structural_ep
