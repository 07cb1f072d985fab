// One pass for thousands of variables against the passes that refiner.hpp makes of fewer.
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/signatures/rare_causes.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::lone_team;

void expect_same(const Expectation& found, const Expectation& exact) {
  EXPECT_NEAR(found.log_likelihood, exact.log_likelihood, .001 * n_drawn);
  expect_near(found.present, exact.present, .005);
  expect_near(found.shared, exact.shared, .005);
  expect_near(found.inverse, exact.inverse, .005);
  expect_near(found.unseen, exact.unseen, .005);
  EXPECT_EQ(found.rows_observed, exact.rows_observed);
}

TEST(SparseExpectation, agrees_with_the_exact_one) {
  const auto truth = few_rare_causes();
  const data::BitPanels values = learning::draw(truth, 3, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const SparseExpectation found = expect_sparse(rows, truth, Missing::ignore);
  const Expectation exact = expect(rows, truth, 0);
  expect_same(found.expected, exact);
  EXPECT_TRUE(found.missing.empty());
  EXPECT_TRUE(found.attributed.empty());
}

TEST(SparseExpectation, agrees_with_the_exact_one_where_values_are_missing) {
  const auto truth = few_rare_causes();
  const learning::SampledInPart sampled(truth, 3, n_drawn, .1);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  const SparseExpectation found = expect_sparse(rows, truth, Missing::ignore);
  const Expectation exact = expect(rows, truth, 0);
  expect_same(found.expected, exact);
}

TEST(SparseExpectation, finds_the_edges_that_are_missing_and_what_they_gain) {
  const auto truth = few_rare_causes();
  const auto network = thinned(truth);
  const data::BitPanels values = learning::draw(truth, 4, n_drawn);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const SparseExpectation found = expect_sparse(rows, network, Missing::find, 20);
  const EdgeTests tests = test_edges(rows, network, 0);
  const std::size_t m = truth.n_observed();
  std::size_t n_compared = 0;
  std::size_t n_near = 0;
  for (const MissingEdge& missing : found.missing) {
    const std::size_t at = missing.edge.cause * m + missing.edge.observed;
    EXPECT_EQ(network.failure(missing.edge.cause, missing.edge.observed), 1);
    const double on = tests.slope[at] + tests.present[missing.edge.cause];
    const double share = tests.present[missing.edge.cause] / on;
    const double by_slope = on * on / tests.variance[at] * (share - 1 - std::log(share));
    const double gain = std::max(by_slope, tests.with_edge[1][at]);
    // Rows in which the cause is unlikely are left out: one edge gains less here.
    EXPECT_LT(missing.gain, 1.03 * gain + 1);
    n_near += missing.gain > .97 * gain - 1 ? 1 : 0;
    ++n_compared;
  }
  EXPECT_GT(n_compared, 10U);
  EXPECT_GE(n_near + 1, n_compared);
  // Strong ones are all there, those that are none are not.
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    const model::Edge& edge = truth.edges()[e];
    if (e % 7 != 3 || edge.failure > .5) continue;
    EXPECT_TRUE(std::ranges::any_of(found.missing, [&](const MissingEdge& missing) {
      return missing.edge.cause == edge.cause && missing.edge.observed == edge.observed;
    }));
  }
  // Of rows in which the cause is nearly certain how nearly matters, and the tolerances differ.
  expect_near(found.without_cause, tests.without_cause, .5);
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    for (std::size_t v = 0; v < truth.n_causes(); ++v) {
      const std::size_t at = u * truth.n_causes() + v;
      EXPECT_NEAR(found.together[at], tests.together[at], .01 * tests.together[at] + 3);
    }
  }
}

// Of variables that are next to never on without the cause, against edges of many strengths.
TEST(SparseExpectation, a_missing_edge_has_about_the_strength_of_most_likelihood) {
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 9; ++a) {
    observed.push_back({std::to_string(a), .002});
    edges.push_back({0, a, a < 6 ? .4 : 1 - std::array{.05, .12, .6}[a - 6]});
  }
  const model::NoisyOrNetwork truth({{"one", .05}}, observed, edges);
  const data::BitPanels values = learning::draw(truth, 4, 20'000);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  const std::vector<model::Edge> strong(edges.begin(), edges.begin() + 6);
  const model::NoisyOrNetwork network(truth.causes(), observed, strong);
  const double before = expect(rows, network, 0).log_likelihood;
  const SparseExpectation found = expect_sparse(rows, network, Missing::find, 5);
  ASSERT_EQ(found.missing.size(), 3U);
  for (const MissingEdge& missing : found.missing) {
    double best = 0;
    double best_strength = 0;
    for (double strength = .01; strength < .9; strength *= 1.1) {
      std::vector<model::Edge> with = strong;
      with.push_back({0, missing.edge.observed, 1 - strength});
      const model::NoisyOrNetwork more(truth.causes(), observed, with);
      const double gain = expect(rows, more, 0).log_likelihood - before;
      if (gain > best) {
        best = gain;
        best_strength = strength;
      }
    }
    EXPECT_NEAR(missing.gain, best, .1 * best) << missing.edge.observed;
    EXPECT_NEAR(1 - missing.edge.failure, best_strength, .25 * best_strength)
        << missing.edge.observed;
  }
}

// By chance a cause of 20 rows seems to have weak edges.
TEST(SparseExpectation, a_weak_edge_must_gain_more_than_a_strong_one) {
  const auto network = thinned(few_rare_causes());
  const data::BitPanels values = learning::draw(few_rare_causes(), 4, n_drawn);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  const auto found = expect_sparse(rows, network, Missing::find, 2).missing;
  EXPECT_GT(found.size(), 5U);
  for (const MissingEdge& missing : found) {
    EXPECT_GT(missing.gain, 2 - .8 * std::log(1 - missing.edge.failure));
  }
}

TEST(SparseExpectation, rows_with_the_variable_are_those_of_the_edge) {
  const auto truth = few_rare_causes();
  const data::BitPanels values = learning::draw(truth, 5, 5000);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  const SparseExpectation found = expect_sparse(rows, truth, Missing::find, 5);
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    const model::Edge& edge = truth.edges()[e];
    // Given the cause, its variable is on unless it and the rest fail.
    const double share = found.on_with[e] / found.expected.present[edge.cause];
    const double error = 4 * std::sqrt(.25 / found.expected.present[edge.cause]);
    EXPECT_GT(share, 1 - edge.failure - error);
  }
  ASSERT_EQ(found.attributed.size(), truth.n_causes() + 1);
  EXPECT_EQ(found.attributed.back().n_rows(), 5000U);
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    const auto present = static_cast<double>(found.attributed[u].n_rows());
    EXPECT_LE(present, found.expected.present[u] + 1);
    EXPECT_GT(present, .5 * found.expected.present[u]);
    found.attributed[u].for_each_row([&](std::span<const std::uint32_t> variables) {
      for (const std::uint32_t a : variables) EXPECT_LT(truth.failure(u, a), 1);
    });
  }
  const std::vector<Attribution> alone = attribute(rows, truth);
  ASSERT_EQ(alone.size(), found.attributed.size());
  for (std::size_t u = 0; u < alone.size(); ++u) {
    std::vector<std::uint32_t> expected;
    std::vector<std::uint32_t> words;
    found.attributed[u].save(expected);
    alone[u].save(words);
    EXPECT_EQ(words, expected) << u;
  }
}

TEST(SparseExpectation, the_number_of_threads_changes_no_byte) {
  const auto network = thinned(few_rare_causes());
  const data::BitPanels values = learning::draw(network, 6, 6000);
  const learning::RowPass alone(lone_team(), 1, values, nullptr);
  const learning::RowPass three(lone_team(), 3, values, nullptr);
  const SparseExpectation one = expect_sparse(alone, network, Missing::find, 1);
  const SparseExpectation other = expect_sparse(three, network, Missing::find, 1);
  EXPECT_EQ(one.expected.log_likelihood, other.expected.log_likelihood);
  EXPECT_EQ(one.expected.shared, other.expected.shared);
  EXPECT_EQ(one.together, other.together);
  ASSERT_EQ(one.missing.size(), other.missing.size());
  EXPECT_GT(one.missing.size(), 0U);
  for (std::size_t i = 0; i < one.missing.size(); ++i) {
    EXPECT_EQ(one.missing[i].edge, other.missing[i].edge);
    EXPECT_EQ(one.missing[i].gain, other.missing[i].gain);
  }
}

}  // namespace
}  // namespace orrery::quartet
