// Failures and leaks: each estimator by hand, then over variables, with errors.
#include "families/noisy_or/anchored/loadings/loadings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"
#include "families/noisy_or/anchored/rows.hpp"

namespace {

using namespace orrery;
using anchored::CauseExpectations;
using anchored::FailureEstimator;
using anchored::Loadings;
using model::CauseTable;

// --------------------------------------------------------------------------------- by hand: ratio

// Cells: bit 0 is the cause, bit 1 the variable.
TEST(DirectFailure, is_the_ratio_of_being_off) {
  // P(x = 0 | y = 1) = .1 / .4, P(x = 0 | y = 0) = .3 / .6
  EXPECT_NEAR(anchored::log_ratio(std::array{.3, .1, .3, .3}), std::log(.5), 1e-15);
  EXPECT_TRUE(std::isnan(anchored::log_ratio(std::array{0., .1, .6, .3})));
  // Never off with the cause: not minus infinity, so that sums of logarithms stay finite.
  EXPECT_NEAR(anchored::log_ratio(std::array{.3, 0., .3, .4}), std::log(1e-6), 1e-12);
}

/// P(y_i, y_k, x): P(y_i = 1) = 1/2, P(y_k = 1 | y_i) = 1/4 or 3/4, f_i = 1/2, f_k = 1/5 and no
/// leak, so that x is off with .2 where y_i is on, .8 where it is not: a ratio of 1/4.
constexpr double off_given[2][2] = {{1, .2}, {.5, .1}};  // [y_i][y_k]
std::vector<double> triple() {
  std::vector<double> cells(8);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double p = .5 * (i == k ? .75 : .25);
      cells[i + 2 * k] = p * off_given[i][k];
      cells[i + 2 * k + 4] = p * (1 - off_given[i][k]);
    }
  }
  return cells;
}
constexpr std::array pair{.4, .1, .1, .4};

// ---------------------------------------------------------------------------------- by hand: tree

TEST(TreeFailure, the_neighbour_is_taken_out) {
  const double direct = anchored::log_ratio(pair);
  EXPECT_NEAR(direct, std::log(.25), 1e-15);
  // (1/4 * 1 + 3/4 * .2) / .8 = 1/2 of the ratio is the neighbour's.
  const std::vector<std::vector<double>> triples{triple()};
  const std::vector<std::array<double, 2>> given_on{{.25, .75}};
  EXPECT_NEAR(FailureEstimator::tree(direct, pair, triples, given_on), std::log(.5), 1e-14);
}

TEST(TreeFailure, no_neighbour_leaves_the_ratio) {
  EXPECT_EQ(FailureEstimator::tree(-1.5, pair, {}, {}), -1.5);
}

TEST(TreeFailure, a_state_of_the_neighbour_that_never_comes_without_the_cause_has_no_estimate) {
  std::vector<double> never = triple();
  never[2] = never[6] = 0;
  const std::vector<std::vector<double>> triples{never};
  const std::vector<std::array<double, 2>> given_on{{.25, .75}};
  EXPECT_TRUE(std::isnan(FailureEstimator::tree(0, pair, triples, given_on)));
}

// ------------------------------------------------------------------------------- by hand: blanket

TEST(BlanketFailure, every_state_of_the_blanket_tells_the_same) {
  EXPECT_NEAR(FailureEstimator::blanket(triple()), std::log(.5), 1e-14);
}

// Ratios of .5 and .4, with weights of .2 * .2 / .4 and .4 * .2 / .6.
TEST(BlanketFailure, states_weigh_as_their_rows_tell) {
  const std::vector<double> table{.1, .05, .2, .04, .1, .15, .2, .16};
  EXPECT_NEAR(FailureEstimator::blanket(table), std::log((.1 * .5 + .4 / 3 * .4) / (.1 + .4 / 3)),
              1e-14);
}

TEST(BlanketFailure, states_without_both_values_of_the_cause_tell_nothing) {
  const std::vector<double> one{.1, .05, .2, 0, .1, .15, .4, 0};
  EXPECT_NEAR(FailureEstimator::blanket(one), std::log(.5), 1e-14);
  const std::vector<double> none{.1, 0, 0, .2, .3, 0, 0, .4};
  EXPECT_TRUE(std::isnan(FailureEstimator::blanket(none)));
}

// ----------------------------------------------------------------------------------------- leaks

constexpr double true_leak = .125;

/// y_0 -> y_1 -> y_2, as they are learned in a forest.
std::vector<CauseTable> chain() { return {{{}, {.5}}, {{0}, {.25, .75}}, {{1}, {.5, .125}}}; }
constexpr std::array failures{.5, .25, .75};

/// (1 - leak) E[prod f^y] of the chain, state by state.
double off_of_chain() {
  double sum = 0;
  const std::vector<CauseTable> tables = chain();
  for (std::size_t state = 0; state < 8; ++state) {
    double p = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool is_on = ((state >> i) & 1U) != 0;
      const std::size_t parent = i == 0 ? 0 : (state >> (i - 1)) & 1U;
      const double on = tables[i].on[parent];
      p *= is_on ? on * failures[i] : 1 - on;
    }
    sum += p;
  }
  return (1 - true_leak) * sum;
}

// Eq. (11): (1 - .5 + .5 * .5) (1 - .25 + .25 * .2) = .75 * .8 = .6, and .54 / .6 = 1 - .1.
TEST(Leak, of_independent_causes_is_what_the_product_leaves) {
  const CauseExpectations causes(model::CauseNetwork({{{}, {.5}}, {{}, {.25}}}), 1, 1);
  EXPECT_NEAR(anchored::leak(.54, std::array{.5, .2}, causes), .1, 1e-15);
  EXPECT_NEAR(anchored::leak(.54, std::array{.5, 7.}, causes), 1 - .54 / .75, 1e-15);
}

TEST(Leak, of_a_tree_is_that_of_all_states) {
  const CauseExpectations causes(model::CauseNetwork(chain()), 1, 1);
  ASSERT_EQ(causes.way(), CauseExpectations::Way::forest);
  EXPECT_NEAR(anchored::leak(off_of_chain(), failures, causes), true_leak, 1e-14);
}

// The chain once more: y_2's second parent changes nothing.
TEST(Leak, of_a_network_with_cycles_is_that_of_all_states) {
  std::vector<CauseTable> tables = chain();
  tables[2] = {{0, 1}, {.5, .5, .125, .125}};
  const CauseExpectations causes(model::CauseNetwork(tables), 1, 1);
  ASSERT_EQ(causes.way(), CauseExpectations::Way::elimination);
  EXPECT_NEAR(anchored::leak(off_of_chain(), failures, causes), true_leak, 1e-14);
}

// Beside the chain 200 causes too coupled for sums, none of which does anything to the variable.
// The mean of 50,000 draws from [0, 1] has a standard error of at most .5 / sqrt(50,000) = .0022;
// 1 - leak is off / mean: off / mean^2 of that, at most 2 x here; five of them.
TEST(Leak, by_draws_is_that_of_all_states) {
  std::vector<CauseTable> tables = chain();
  RowRandom random(1, Stream::check, 0);
  for (std::uint32_t i = 3; i < 203; ++i) {
    CauseTable table;
    while (table.parents.size() < std::min(4U, i - 3)) {
      const auto parent = static_cast<std::uint32_t>(3 + random.below(i - 3));
      if (std::ranges::find(table.parents, parent) == table.parents.end()) {
        table.parents.push_back(parent);
      }
    }
    std::ranges::sort(table.parents);
    table.on.assign(std::size_t{1} << table.parents.size(), .5);
    tables.push_back(std::move(table));
  }
  const CauseExpectations causes(model::CauseNetwork(tables), 50'000, 1);
  ASSERT_EQ(causes.way(), CauseExpectations::Way::draws);
  std::vector<double> all(203, 1);
  std::ranges::copy(failures, all.begin());
  EXPECT_NEAR(anchored::leak(off_of_chain(), all, causes), true_leak, 5 * 2 * .0022);
}

// ------------------------------------------------------------------------------- over variables

/// y0 -> y1; columns a0, a1 are anchors of rates .1 and .7, .2 and .9, x is triple()'s variable.
model::NoisyOrNetwork two_causes() {
  return {model::NoisyOrNetwork({{"y0", .5}, {"y1", .5}}, {{"a0", .1}, {"a1", .2}, {"x", 0}},
                                {{0, 0, 1. / 3}, {1, 1, .125}, {0, 2, .5}, {1, 2, .2}}),
          model::CauseNetwork({{{}, {.5}}, {{0}, {.25, .75}}}),
          {{0, 0}, {1, 1}}};
}

anchored::VariableLoadings loadings_of_x(Loadings how) {
  const model::NoisyOrNetwork network = two_causes();
  anchored::Observations observed;
  observed.source = "network";
  observed.names = {"a0", "a1", "x"};
  observed.causes = {"y0", "y1"};
  observed.anchors = network.anchors();
  observed.given.resize(2);
  observed.exact = &network;
  std::vector<anchored::Sign> signs;
  std::vector<anchored::CauseView> views(1);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto [off, on] = network.anchor_rates(i);
    views[0].rates.push_back({off, on});
    signs.push_back({{anchored::Column::Kind::observed, i}, {{off, on}}});
  }
  views[0].moments = anchored::exact_tables(network.cause_network(), 2);
  views[0].sums = std::make_unique<CauseExpectations>(network.cause_network(), 1, 1);
  anchored::Options options;
  options.loadings = how;
  anchored::Alone alone;
  return anchored::find_loadings(alone.workers(), {observed, signs, views, options}).variables[2];
}

TEST(FindLoadings, all_but_the_direct_ratio_see_through_the_other_cause) {
  for (const Loadings how : {Loadings::tree, Loadings::blanket, Loadings::matched}) {
    const anchored::VariableLoadings x = loadings_of_x(how);
    ASSERT_EQ(x.edges.size(), 2U);
    EXPECT_NEAR(x.edges[0].failure, .5, 1e-9);
    EXPECT_NEAR(x.edges[1].failure, .2, 1e-9);
    EXPECT_NEAR(x.leak, 0, 1e-9);
    EXPECT_EQ(x.edges[0].error, 0);
  }
  const anchored::VariableLoadings x = loadings_of_x(Loadings::direct);
  ASSERT_EQ(x.edges.size(), 2U);
  EXPECT_NEAR(x.edges[0].failure, .25, 1e-9);
  // .25 * .2 + .75 * .1 over .75 * 1 + .25 * .5
  EXPECT_NEAR(x.edges[1].failure, .125 / .875, 1e-9);
}

// One cause and a perfect anchor: f = b / a, where a and b are shares of n_0 and n_1 rows, and the
// leak is 1 - a. Deviations by the delta method. The jackknife of 32 groups is itself uncertain by
// 1 / sqrt(62) = 13 %: three of that.
TEST(FindLoadings, errors_are_the_deviations_of_shares) {
  constexpr std::size_t n_rows = 65'536;
  const auto uniform = [](std::size_t row, std::uint64_t seed) {
    return RowRandom(seed, Stream::check, row).uniform();
  };
  const auto is_present = [&](std::size_t r) { return uniform(r, 1) < .25; };
  const anchored::Observations observed =
      anchored::observe_rows(2, 1, n_rows, [&](std::size_t r, std::size_t c) {
        return c == 0 ? is_present(r) : uniform(r, 2) < (is_present(r) ? .7 : .4);
      });
  const std::size_t n_views = anchored::n_views(n_rows);
  const std::array<double, 2> perfect{0, 1};
  const std::vector<anchored::Sign> signs{{{anchored::Column::Kind::observed, 0},
                                           std::vector<std::array<double, 2>>(n_views, perfect)}};
  std::vector<anchored::CauseView> views(n_views);
  for (anchored::CauseView& view : views) {
    view.rates = {perfect};
    const model::CauseNetwork causes({{{}, {.25}}});
    view.moments = anchored::exact_tables(causes, 1);
    view.sums = std::make_unique<CauseExpectations>(causes, 1, 1);
  }
  anchored::Options options;
  options.loadings = Loadings::direct;
  anchored::Alone alone;
  const auto found = anchored::find_loadings(alone.workers(), {observed, signs, views, options});
  const anchored::VariableLoadings& x = found.variables[1];
  ASSERT_EQ(x.edges.size(), 1U);
  const double a = .6, b = .3, n0 = .75 * n_rows, n1 = .25 * n_rows;
  const double relative = std::sqrt((1 - a) / (a * n0) + (1 - b) / (b * n1));
  const double error = b / a * relative;
  EXPECT_NEAR(x.edges[0].failure, b / a, 4 * error);
  EXPECT_NEAR(x.edges[0].error, error, .4 * error);
  // 1 - leak = P(x = 0) / (.75 + .25 f) = a where the cause is on in .25 of the rows; that its
  // share is another by chance adds 3 %.
  const double leak_error = std::sqrt(a * (1 - a) / n0);
  EXPECT_NEAR(x.leak, 1 - a, 4 * leak_error);
  EXPECT_NEAR(x.leak_error, leak_error, .4 * leak_error);
}

}  // namespace
