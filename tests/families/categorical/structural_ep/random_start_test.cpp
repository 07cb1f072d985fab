// Plain expectation propagation from random messages: what the messages are, what it finds, and how
// several such starts are compared.
#include "families/categorical/structural_ep/random_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "families/categorical/network/generators.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::structural_ep {
namespace {

struct StoppedStart {};

class RandomStart : public testing::Test {
 protected:
  RandomStart() {
    options_.start = StartKind::random;
    options_.agreements = 0;
    truth_ = model::draw_categorical({2, 24, 1}, 3);
    table_ = model::sample_categorical(truth_, 3, 0, 500, 0);
  }
  Options options_;
  model::CategoricalNetwork truth_;
  data::CategoricalTable table_;
  parallel::Team team_;
};

std::vector<double> messages_of(Approximation& approximation, std::size_t row) {
  std::vector<double> messages;
  const LaneSpan states = approximation.view(row).states;
  for (std::size_t s = 0; s < states.size(); ++s) messages.push_back(states[s]);
  return messages;
}

TEST_F(RandomStart, sends_messages_of_its_number_and_has_no_structure) {
  const learning::RowShare rows(team_, 1, table_.n_rows);
  Approximation a(shape_of(table_, 2, 2, 1), table_, rows, 1);
  Approximation b(shape_of(table_, 2, 2, 1), table_, rows, 1);
  begin_at_random(1, 0, a);
  begin_at_random(1, 0, b);
  EXPECT_EQ(a.posterior().counts, b.posterior().counts);
  EXPECT_EQ(messages_of(a, 7), messages_of(b, 7));
  for (const double q : a.posterior().structure) EXPECT_EQ(q, .5);
  for (const double message : messages_of(a, 7)) {
    EXPECT_GE(message, .1);
    EXPECT_LE(message, 1);
  }
  EXPECT_NE(messages_of(a, 7), messages_of(a, 8));
  begin_at_random(1, 1, b);
  EXPECT_NE(a.posterior().counts, b.posterior().counts);
  begin_at_random(2, 0, b);
  EXPECT_NE(a.posterior().counts, b.posterior().counts);
}

// A value adds one count to its column's parameters, shared among their rows.
TEST_F(RandomStart, counts_every_value_once) {
  const learning::RowShare rows(team_, 1, table_.n_rows);
  Approximation a(shape_of(table_, 2, 2, 1), table_, rows, 1);
  begin_at_random(1, 0, a);
  const Shape& shape = a.shape();
  double sum = 0;
  for (std::size_t l = shape.first_count[3]; l < shape.first_count[4]; ++l) {
    sum += a.posterior().counts[l] - 1;
  }
  EXPECT_NEAR(sum, 500, 1e-6);
}

TEST_F(RandomStart, leads_to_the_structure_where_two_causes_are_easy_to_tell) {
  options_.restarts = 1;
  const learning::RowShare rows(team_, 1, table_.n_rows);
  BestStart best;
  run_starts(table_, rows, 2, options_, best, {});
  EXPECT_EQ(best.n_done, 0U);  // a single start is left to what infers the network
  const auto learned = infer_network(table_, rows, 2, options_, best);
  ASSERT_EQ(learned.network.n_causes(), 2U);
  std::size_t n_same = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    n_same += learned.network.variables()[i].parents == truth_.variables()[i].parents;
  }
  // Whichever cause is called the first. Of 24 variables plain runs misplace none or one.
  EXPECT_GE(std::max(n_same, 24 - n_same), 22U);
}

TEST_F(RandomStart, of_several_the_one_with_the_best_evidence_is_repeated) {
  options_.restarts = 3;
  options_.max_sweeps = 12;
  const learning::RowShare rows(team_, 1, table_.n_rows);
  BestStart best;
  run_starts(table_, rows, 2, options_, best, [](const BestStart&) {});
  EXPECT_EQ(best.n_done, 3U);
  for (std::uint64_t number = 0; number < 3; ++number) {
    Approximation again(shape_of(table_, 2, 2, 1), table_, rows, 1);
    run_from_random(options_, number, {}, again);
    if (number == best.number) {
      EXPECT_EQ(log_evidence(again), best.log_evidence);
    } else {
      EXPECT_LE(log_evidence(again), best.log_evidence);
    }
  }
}

TEST_F(RandomStart, that_is_broken_off_goes_on_to_the_same) {
  options_.restarts = 3;
  options_.max_sweeps = 12;
  const learning::RowShare rows(team_, 1, table_.n_rows);
  BestStart whole;
  run_starts(table_, rows, 2, options_, whole, [](const BestStart&) {});
  BestStart best;
  while (!is_over(best, options_, 2)) {
    try {
      run_starts(table_, rows, 2, options_, best, [](const BestStart&) { throw StoppedStart(); });
    } catch (const StoppedStart&) {
    }
  }
  EXPECT_EQ(best.number, whole.number);
  EXPECT_EQ(best.log_evidence, whole.log_evidence);
}

}  // namespace
}  // namespace orrery::structural_ep
