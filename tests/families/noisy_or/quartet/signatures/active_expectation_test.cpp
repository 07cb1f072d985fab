// What the rows' likely causes say of a network near the one that all rows were gone through with.
#include "families/noisy_or/quartet/signatures/active_expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "families/noisy_or/quartet/signatures/rare_causes.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::lone_team;

// Of 79 blocks of rows 20 are the sample.
constexpr Keep a_quarter{4, true};

/// The network with somewhat other parameters.
model::NoisyOrNetwork moved(const model::NoisyOrNetwork& network) {
  auto causes = network.causes();
  auto observed = network.observed();
  auto edges = network.edges();
  for (std::size_t u = 0; u < causes.size(); ++u) causes[u].prior *= u % 2 == 0 ? 1.2 : .85;
  for (std::size_t a = 0; a < observed.size(); ++a) observed[a].leak *= a % 3 == 0 ? 1.3 : .9;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    edges[e].failure = std::clamp(edges[e].failure * (e % 2 == 0 ? 1.15 : .9), .01, .95);
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

ActiveExpectation active_of(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                            Keep keep = {1, false}) {
  SparseExpectation found = expect_sparse(rows, network, Missing::ignore, 0, keep);
  return {rows, network, std::move(found.expected), std::move(found.kept)};
}

void expect_same(const Expectation& found, const Expectation& whole, double relative) {
  EXPECT_NEAR(found.log_likelihood, whole.log_likelihood, relative * n_drawn);
  expect_near(found.present, whole.present, relative);
  expect_near(found.shared, whole.shared, relative);
  expect_near(found.inverse, whole.inverse, relative);
  expect_near(found.unseen, whole.unseen, relative);
  EXPECT_EQ(found.rows_observed, whole.rows_observed);
  EXPECT_EQ(found.n_rows, whole.n_rows);
}

Expectation whole_of(const learning::RowPass& rows, const model::NoisyOrNetwork& network) {
  return expect_sparse(rows, network, Missing::ignore).expected;
}

TEST(ActiveExpectation, say_of_the_same_network_what_all_rows_say) {
  const auto network = few_rare_causes();
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  expect_same(active_of(rows, network).at(network), whole_of(rows, network), 1e-9);
}

TEST(ActiveExpectation, say_of_a_network_nearby_nearly_what_all_rows_say) {
  const auto network = few_rare_causes();
  const auto near = moved(network);
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const Expectation whole = whole_of(rows, near);
  expect_same(active_of(rows, network).at(near), whole, .01);
  EXPECT_GT(std::abs(whole.log_likelihood - whole_of(rows, network).log_likelihood), 50);
}

TEST(ActiveExpectation, say_the_same_where_values_are_missing) {
  const auto network = few_rare_causes();
  const auto near = moved(network);
  const learning::SampledInPart sampled(network, 3, n_drawn, .1);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  expect_same(active_of(rows, network).at(near), whole_of(rows, near), .01);
}

// The first cause goes, and every seventh edge of the others; every eleventh comes. Of what went, a
// part falls to causes that were not likely in the row: hence the tolerance.
TEST(ActiveExpectation, follow_the_network_as_edges_and_causes_go_and_come) {
  const auto truth = few_rare_causes();
  std::vector<model::Edge> before;
  std::vector<model::Edge> after;
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    model::Edge edge = truth.edges()[e];
    if (e % 11 != 5) before.push_back(edge);
    if (edge.cause == 0 || e % 7 == 3) continue;
    --edge.cause;
    after.push_back(edge);
  }
  std::vector<std::size_t> kept;
  for (std::size_t u = 1; u < truth.n_causes(); ++u) kept.push_back(u);
  const model::NoisyOrNetwork first(truth.causes(), truth.observed(), before);
  const model::NoisyOrNetwork next({truth.causes().begin() + 1, truth.causes().end()},
                                   truth.observed(), after);
  const data::BitPanels values = learning::draw(truth, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const Expectation whole = whole_of(rows, next);
  ActiveExpectation active = active_of(rows, first);
  active.follow(next, kept);
  expect_same(active.at(next), whole, .1);
  ActiveExpectation in_part = active_of(rows, first, a_quarter);
  in_part.follow(next, kept);
  expect_same(in_part.at_by_all(next), whole, .1);
  expect_same(in_part.at(next), active.at(next), 1e-9);
}

TEST(ActiveExpectation, a_sample_goes_on_from_what_all_rows_say) {
  const auto network = few_rare_causes();
  const auto near = moved(network);
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  ActiveExpectation active = active_of(rows, network, a_quarter);
  ASSERT_TRUE(active.is_whole());
  ASSERT_TRUE(active.has_others());
  expect_same(active.at(network), whole_of(rows, network), 1e-9);
  const Expectation by_all = active_of(rows, network).at(near);
  const Expectation before = active.at(near);
  expect_near(before.present, by_all.present, .1);
  expect_near(before.shared, by_all.shared, .1);
  EXPECT_GT(std::abs(before.log_likelihood - by_all.log_likelihood), 1);
  expect_same(active.at_by_all(near), by_all, 1e-9);
  expect_same(active.at(near), by_all, 1e-9);
}

TEST(ActiveExpectation, a_sample_alone_says_nothing_by_all_rows) {
  const auto network = few_rare_causes();
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const ActiveExpectation active = active_of(rows, network, {4, false});
  EXPECT_FALSE(active.is_whole());
  EXPECT_FALSE(active.has_others());
  expect_same(active.at(network), whole_of(rows, network), 1e-9);
}

// A pass over every third block: its blocks are numbered, not those of the data set.
TEST(ActiveExpectation, of_some_of_the_rows_a_sample_is_some) {
  const auto network = few_rare_causes();
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass all(lone_team(), 2, values, nullptr);
  for (const learning::RowPass& rows : {all.thinned(3), all.part(3, 1)}) {
    const ActiveExpectation active = active_of(rows, network, {3, true});
    EXPECT_TRUE(active.is_whole());
    EXPECT_TRUE(active.has_others());
    EXPECT_FALSE(active_of(rows, network, {3, false}).is_whole());
  }
}

TEST(ActiveExpectation, all_of_few_rows_are_the_sample) {
  const auto network = few_rare_causes();
  const data::BitPanels values = learning::draw(network, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  EXPECT_EQ(keep_sample(rows, network).sample_step, 1);
  EXPECT_FALSE(keep_sample(rows, network).others);
  EXPECT_EQ(keep_all(rows, network).sample_step, 1);
  EXPECT_TRUE(keep_all(rows, network).others);
}

/// A table of which values are missing, or none.
void expect_same_judgement(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                           Keep keep = {1, false}) {
  const auto near = moved(network);
  const SparseExpectation whole = expect_sparse(rows, near, Missing::edges, 5);
  ActiveExpectation active = active_of(rows, network, keep);
  ASSERT_TRUE(active.is_whole());
  const SparseExpectation found = active.judge(near, 5);
  expect_same(found.expected, whole.expected, .01);
  expect_near(found.together, whole.together, .01);
  expect_near(found.on_with, whole.on_with, .01);
  expect_near(found.without_cause, whole.without_cause, .01);
  EXPECT_GE(whole.missing.size(), 5U);
  ASSERT_EQ(found.missing.size(), whole.missing.size());
  for (std::size_t i = 0; i < whole.missing.size(); ++i) {
    EXPECT_EQ(found.missing[i].edge.cause, whole.missing[i].edge.cause);
    EXPECT_EQ(found.missing[i].edge.observed, whole.missing[i].edge.observed);
    EXPECT_NEAR(found.missing[i].gain, whole.missing[i].gain, .02 * whole.missing[i].gain + .2);
  }
}

TEST(ActiveExpectation, judge_the_structure_as_all_rows_do) {
  const auto truth = few_rare_causes();
  const data::BitPanels values = learning::draw(truth, 3, n_drawn);
  expect_same_judgement({lone_team(), 2, values, nullptr}, thinned(truth));
  expect_same_judgement({lone_team(), 2, values, nullptr}, thinned(truth), a_quarter);
}

TEST(ActiveExpectation, judge_the_structure_where_values_are_missing) {
  const auto truth = few_rare_causes();
  const learning::SampledInPart sampled(truth, 3, n_drawn, .1);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  expect_same_judgement(rows, thinned(truth));
  expect_same_judgement(rows, thinned(truth), a_quarter);
}

TEST(ActiveExpectation, cells_of_any_size_are_packed_and_unpacked) {
  for (const std::uint32_t most : {0xFFFFU, 0x10000U, ~0U}) {
    const std::vector<std::uint32_t> cells{0, 3, most, 1};
    std::vector<std::uint32_t> again{7, 7};
    PackedCells(cells).unpack(again);
    EXPECT_EQ(again, cells);
  }
}

TEST(BitCounts, are_those_of_counting_one_by_one) {
  for (const std::size_t n_rows : {0U, 1U, 63U, 64U, 65U, 200U}) {
    BitCounts counts(130);
    std::vector<std::uint64_t> slow(192, 0);
    for (std::size_t r = 0; r < n_rows; ++r) {
      std::vector<std::uint64_t> row(3, 0);
      for (std::size_t i = 0; i < 130; ++i) {
        if ((r * r + 7 * i) % (3 + i % 5) != 0) continue;
        row[i / 64] |= std::uint64_t{1} << (i % 64);
        ++slow[i];
      }
      counts.add(row);
    }
    EXPECT_EQ(counts.counts(), slow);
    EXPECT_EQ(counts.counts(), slow);  // asked again
  }
}

TEST(ActiveExpectation, the_number_of_threads_changes_no_byte) {
  const auto network = few_rare_causes();
  const auto near = moved(network);
  const data::BitPanels values = learning::draw(network, 6, 6000);
  const learning::RowPass alone(lone_team(), 1, values, nullptr);
  const learning::RowPass three(lone_team(), 3, values, nullptr);
  for (const Keep keep : {Keep{1, false}, a_quarter}) {
    ActiveExpectation of_one = active_of(alone, network, keep);
    ActiveExpectation of_three = active_of(three, network, keep);
    const auto expect_equal = [](const Expectation& one, const Expectation& other) {
      EXPECT_EQ(one.log_likelihood, other.log_likelihood);
      EXPECT_EQ(one.present, other.present);
      EXPECT_EQ(one.shared, other.shared);
      EXPECT_EQ(one.inverse, other.inverse);
    };
    expect_equal(of_one.at(near), of_three.at(near));
    expect_equal(of_one.at_by_all(near), of_three.at_by_all(near));
    expect_equal(of_one.at(network), of_three.at(network));
  }
}

}  // namespace
}  // namespace orrery::quartet
