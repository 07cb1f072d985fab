// EM against what it promises, on data drawn from known networks.
#include "families/noisy_or/quartet/refine/em.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/extrapolation.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/likelihood.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::lone_team;

/// Half-way between the truth and nothing in particular.
model::NoisyOrNetwork blurred(const model::NoisyOrNetwork& truth) {
  std::vector<model::Cause> causes = truth.causes();
  std::vector<model::Observed> observed = truth.observed();
  std::vector<model::Edge> edges = truth.edges();
  for (auto& cause : causes) cause.prior = .5 * (cause.prior + .1);
  for (auto& variable : observed) variable.leak = .02;
  for (auto& edge : edges) edge.failure = .4;
  return {causes, observed, edges};
}

FitOptions options_of(int max_iterations, double tolerance) {
  return {max_iterations, tolerance, {}, constants::refinement::state_tolerance, {}, {}};
}

TEST(ExpectationMaximization, log_posterior_never_falls) {
  for (const char* name : {"img", "con:24", "unif", "bars:6"}) {
    const auto truth = *model::generate_network(name, 1);
    const data::BitPanels values = learning::draw(truth, 3, 1000);
    const learning::RowPass rows(lone_team(), 1, values, nullptr);
    model::NoisyOrNetwork network = blurred(truth);
    double before = -1e300;
    for (int i = 0; i < 15; ++i) {
      const Expectation expectation = expect(rows, network);
      const double now = expectation.log_likelihood + log_parameter_prior(network, {});
      // State weights below constants::refinement::state_tolerance are left out.
      EXPECT_GT(now, before - 1e-4) << name << " iteration " << i;
      before = now;
      network = maximize(network, expectation, {});
    }
  }
}

TEST(ExpectationMaximization, log_likelihood_is_that_of_all_states) {
  for (const char* name : {"img", "unif", "plnt"}) {
    const auto truth = *model::generate_network(name, 1);
    const data::BitPanels values = learning::draw(truth, 5, 500);
    const learning::RowPass rows(lone_team(), 1, values, nullptr);
    data::SampleMatrix samples;
    samples.values = values;
    EXPECT_NEAR(expect(rows, truth).log_likelihood / 500,
                model::mean_log_likelihood(truth, samples, 20), 1e-6)
        << name;
  }
}

TEST(ExpectationMaximization, finds_the_parameters_of_a_known_structure) {
  const auto truth = *model::generate_network("con:12", 4);
  const data::BitPanels values = learning::draw(truth, 6, 20'000);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  const Fit result = fit(rows, blurred(truth), options_of(200, .01));
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    EXPECT_NEAR(result.network.causes()[u].prior, truth.causes()[u].prior, .012);
  }
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    EXPECT_NEAR(result.network.edges()[e].failure, truth.edges()[e].failure, .04);
  }
  for (std::size_t a = 0; a < truth.n_observed(); ++a) {
    EXPECT_NEAR(result.network.observed()[a].leak, truth.observed()[a].leak, .005);
  }
}

TEST(ExpectationMaximization, extrapolation_ends_where_plain_steps_do_after_fewer_passes) {
  const auto truth = *model::generate_network("con:20,causes=10,prior=0.4", 3);
  const data::BitPanels values = learning::draw(truth, 2, 1000);
  const learning::RowPass rows(lone_team(), 2, values, nullptr);
  model::NoisyOrNetwork network = blurred(truth);
  double posterior = -1e300;
  int n_passes = 0;
  for (double gain = 1; gain >= 1e-3; ++n_passes) {
    const Expectation expectation = expect(rows, network);
    const double now = expectation.log_likelihood + log_parameter_prior(network, {});
    gain = now - posterior;
    posterior = now;
    network = maximize(network, expectation, {});
  }
  const Fit found = fit(rows, blurred(truth), options_of(500, 1e-3));
  EXPECT_GT(found.log_posterior, posterior - 1e-3);
  EXPECT_LT(2 * found.iterations, n_passes);
}

TEST(ExpectationMaximization, no_extrapolated_step_lowers_the_log_posterior) {
  for (const char* name : {"img", "unif", "plnt", "con:20,causes=10,prior=0.4"}) {
    const auto truth = *model::generate_network(name, 1);
    const data::BitPanels values = learning::draw(truth, 3, 200);
    const learning::RowPass rows(lone_team(), 1, values, nullptr);
    FitOptions options = options_of(60, 1e-6);
    double before = -1e300;
    options.pause = [&](const Fit& so_far) {
      // State weights below constants::refinement::state_tolerance are left out.
      EXPECT_GT(so_far.log_posterior, before - 1e-4) << name << ' ' << so_far.iterations;
      before = so_far.log_posterior;
    };
    (void)fit(rows, blurred(truth), options);
  }
}

TEST(ExpectationMaximization, going_on_is_no_other_than_not_having_stopped) {
  const auto truth = *model::generate_network("unif", 2);
  const data::BitPanels values = learning::draw(truth, 8, 1000);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  const Fit whole = fit(rows, blurred(truth), options_of(7, 0));
  Fit begun = fit(rows, blurred(truth), options_of(3, 0));
  Fit without_expectation = begun;
  without_expectation.expectation.reset();
  for (const Fit& stopped : {begun, without_expectation}) {
    const Fit resumed = go_on(rows, stopped, options_of(7, 0));
    EXPECT_EQ(resumed.log_posterior, whole.log_posterior);
    EXPECT_EQ(resumed.iterations, whole.iterations);
    EXPECT_EQ(resumed.n_states, whole.n_states);
    EXPECT_EQ(resumed.network.edges()[5].failure, whole.network.edges()[5].failure);
  }
}

/// Fourteen causes, too many for a table of their states: rows are searched.
model::NoisyOrNetwork searched_network() {
  return *model::generate_network("con:8-24,causes=14,prior=.1-.3", 3);
}

// Of an interrupted EM there is the network at its last search alone.
TEST(ExpectationMaximization, an_interrupted_one_goes_on_from_each_of_its_searches) {
  const auto truth = searched_network();
  const learning::SampledInPart sampled(truth, 8, 700, .02);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  for (const int n_iterations : {11, 27}) {  // without and with extrapolation
    FitOptions options = options_of(n_iterations, 0);
    std::vector<Fit> paused;
    options.pause = [&](const Fit& so_far) {
      paused.push_back(so_far);
      paused.back().expectation.reset();
    };
    const Fit whole = fit(rows, blurred(truth), options);
    options.pause = {};
    EXPECT_GT(whole.iterations, n_iterations - 2);
    EXPECT_GT(paused.size(), 5U);
    EXPECT_GT(paused.back().iterations, n_iterations / 2);
    for (const Fit& stopped : paused) {
      const Fit resumed = go_on(rows, stopped, options);
      EXPECT_EQ(resumed.log_posterior, whole.log_posterior);
      EXPECT_EQ(resumed.iterations, whole.iterations);
      EXPECT_EQ(resumed.n_states, whole.n_states);
      EXPECT_EQ(resumed.last_gain, whole.last_gain);
      EXPECT_EQ(resumed.network.edges()[5].failure, whole.network.edges()[5].failure);
    }
  }
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double precision) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], precision * (1 + std::abs(expected[i]))) << i;
  }
}

TEST(ExpectationMaximization, states_found_before_tell_what_a_search_tells) {
  const auto truth = searched_network();
  const learning::SampledInPart sampled(truth, 8, 700, .02);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  const model::NoisyOrNetwork before = fit(rows, blurred(truth), options_of(6, 0)).network;
  const Expectation searched = expect(rows, before, 1e-9);
  const Expectation again = expect_again(rows, before, 1e-9, *searched.found);
  EXPECT_NEAR(again.log_likelihood, searched.log_likelihood, 1e-8);
  EXPECT_EQ(again.n_states, searched.n_states);
  EXPECT_EQ(again.n_truncated, searched.n_truncated);
  const model::NoisyOrNetwork after = maximize(before, searched, {});
  const Expectation found = expect_again(rows, after, 1e-9, *searched.found);
  const Expectation expected = expect(rows, after, 1e-9);
  EXPECT_GT(expected.log_likelihood, searched.log_likelihood + 1);
  EXPECT_NEAR(found.log_likelihood, expected.log_likelihood, .01);
  expect_near(found.present, expected.present, 1e-4);
  expect_near(found.shared, expected.shared, 1e-4);
  expect_near(found.inverse, expected.inverse, 1e-3);
  expect_near(found.unseen, expected.unseen, 1e-4);
  EXPECT_EQ(found.rows_observed, expected.rows_observed);
}

TEST(ExpectationMaximization, what_found_states_leave_out_of_the_likelihood_is_added) {
  const auto truth = searched_network();
  const learning::SampledInPart sampled(truth, 8, 700, .02);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  const Expectation searched = expect(rows, truth, 1e-2);
  EXPECT_LT(searched.found->log_left_out, -.1);
  const Expectation again = expect_again(rows, truth, 1e-2, *searched.found);
  EXPECT_NEAR(again.log_likelihood, searched.log_likelihood, 1e-8);
}

TEST(ExpectationMaximization, ends_where_it_is_given_up) {
  const auto truth = *model::generate_network("unif", 2);
  const data::BitPanels values = learning::draw(truth, 8, 500);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  FitOptions options = options_of(7, 0);
  options.gives_up = [](const Fit& so_far) { return so_far.iterations == 2; };
  EXPECT_EQ(fit(rows, blurred(truth), options).iterations, 2);
}

// A sequence that comes closer to its limit by the same factor with each step.
TEST(SquaredExtrapolation, finds_the_limit_of_steps_that_shrink_alike) {
  const std::vector<double> limit{.3, -2, 5};
  const auto at = [&](double rest) {
    return std::vector<double>{limit[0] + rest, limit[1] - 2 * rest, limit[2] + 3 * rest};
  };
  const std::vector<double> found = extrapolate(at(1), at(.8), at(.64));
  for (std::size_t i = 0; i < limit.size(); ++i) EXPECT_NEAR(found[i], limit[i], 1e-12);
}

TEST(SquaredExtrapolation, log_odds_come_back) {
  const auto network = *model::generate_network("unif", 5);
  const model::NoisyOrNetwork again = with_log_odds(network, log_odds_of(network));
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    EXPECT_NEAR(again.edges()[e].failure, network.edges()[e].failure, 1e-12);
  }
  EXPECT_NEAR(again.causes()[3].prior, network.causes()[3].prior, 1e-12);
  EXPECT_NEAR(again.observed()[7].leak, network.observed()[7].leak, 1e-12);
}

TEST(ExpectationMaximization, missing_values_are_summed_out) {
  // What is missing says nothing: the same network from three quarters of the values.
  const auto truth = *model::generate_network("con:12", 4);
  const learning::SampledInPart sampled(truth, 7, 20'000, .25);
  const learning::RowPass rows(lone_team(), 2, sampled.values, &sampled.missing);
  const Fit result = fit(rows, blurred(truth), options_of(200, .01));
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    EXPECT_NEAR(result.network.causes()[u].prior, truth.causes()[u].prior, .015);
  }
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    EXPECT_NEAR(result.network.edges()[e].failure, truth.edges()[e].failure, .05);
  }
}

TEST(ExpectationMaximization, threads_do_not_change_a_bit) {
  const auto truth = *model::generate_network("unif", 2);
  const data::BitPanels values = learning::draw(truth, 8, 3000);
  const learning::RowPass alone(lone_team(), 1, values, nullptr);
  const learning::RowPass four(lone_team(), 4, values, nullptr);
  const Fit first = fit(alone, blurred(truth), options_of(5, 0));
  const Fit second = fit(four, blurred(truth), options_of(5, 0));
  EXPECT_EQ(first.log_likelihood, second.log_likelihood);
  for (std::size_t e = 0; e < truth.edges().size(); ++e) {
    EXPECT_EQ(first.network.edges()[e].failure, second.network.edges()[e].failure);
  }
}

// By the formulas of em.hpp: what is not seen of a variable tells nothing of its leak and failures.
TEST(ExpectationMaximization, a_step_takes_shares_of_the_rows_that_show_a_variable) {
  const model::NoisyOrNetwork network({{"u", .3}}, {{"a", .2}, {"b", .1}}, {{0, 0, .25}});
  Expectation expectation;
  expectation.n_rows = 100;
  expectation.present = {40};
  expectation.shared = {20};
  expectation.unseen = {8};
  expectation.inverse = {120, 10};
  expectation.rows_observed = {80, 100};
  const auto next = maximize(network, expectation, {});
  EXPECT_DOUBLE_EQ(next.causes()[0].prior, 40.5 / 101);
  EXPECT_DOUBLE_EQ(next.edges()[0].failure, (40 - 8 - .75 * 20 + 2) / (40 - 8 + 8.));
  EXPECT_DOUBLE_EQ(next.observed()[0].leak, (.2 * 120 + .5) / 80.5);
  EXPECT_DOUBLE_EQ(next.observed()[1].leak, (.1 * 10 + .5) / 100.5);
}

TEST(ExpectationMaximization, a_cause_and_an_edge_cost_what_they_are_chosen_from) {
  const Penalty penalty(1000, 64, .05);
  EXPECT_DOUBLE_EQ(penalty.cause, .5 * std::log(1000) - std::log(.05));
  EXPECT_DOUBLE_EQ(penalty.edge, .5 * std::log(1000) + .5 * std::log(64));
}

/// With this share of the values missing.
class TestedEdges : public testing::TestWithParam<double> {
 protected:
  [[nodiscard]] static learning::RowPass rows_of(const learning::SampledInPart& sampled) {
    return {lone_team(), 1, sampled.values, GetParam() > 0 ? &sampled.missing : nullptr};
  }

  const model::NoisyOrNetwork truth_ = *model::generate_network("con:12", 4);
  const model::NoisyOrNetwork network_ = blurred(truth_);
};

INSTANTIATE_TEST_SUITE_P(Missing, TestedEdges, testing::Values(0, .25));

/// The change of the log-likelihood when an edge goes, by its definition.
TEST_P(TestedEdges, removals_are_exact_likelihood_ratios) {
  const learning::SampledInPart sampled(truth_, 9, 500, GetParam());
  const learning::RowPass rows = rows_of(sampled);
  const double all = expect(rows, network_).log_likelihood;
  const EdgeTests tests = test_edges(rows, network_);
  for (const std::size_t e : {0UL, 17UL, 50UL}) {
    auto edges = network_.edges();
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(e));
    const double rest =
        expect(rows, {network_.causes(), network_.observed(), edges}).log_likelihood;
    EXPECT_NEAR(tests.without_edge[e], rest - all, 1e-3 * std::abs(rest - all)) << e;
  }
}

TEST_P(TestedEdges, slopes_are_derivatives) {
  const learning::SampledInPart sampled(truth_, 9, 500, GetParam());
  const learning::RowPass rows = rows_of(sampled);
  const double all = expect(rows, truth_).log_likelihood;
  const EdgeTests tests = test_edges(rows, truth_);
  int n = 0;
  for (std::uint32_t a = 0; a < 64 && n < 5; a += 7) {
    if (truth_.failure(2, a) < 1) continue;
    ++n;
    auto edges = truth_.edges();
    constexpr double step = 1e-5;
    edges.push_back({2, a, 1 - step});
    const double more = expect(rows, {truth_.causes(), truth_.observed(), edges}).log_likelihood;
    EXPECT_NEAR(tests.slope[2 * 64 + a], (more - all) / step,
                .02 * std::abs(tests.slope[2 * 64 + a]) + .05);
  }
  EXPECT_EQ(n, 5);
}

TEST(EdgeTests, additions_are_exact_likelihood_ratios_also_where_values_are_missing) {
  const auto truth = *model::generate_network("con:12", 4);
  const data::BitPanels values = learning::draw(truth, 9, 500);
  const data::BitPanels missing =
      learning::draw(*model::generate_network("independent:64", 2), 3, 500);
  for (const data::BitPanels* mask : {static_cast<const data::BitPanels*>(nullptr), &missing}) {
    const learning::RowPass rows(lone_team(), 1, values, mask);
    const double all = expect(rows, truth).log_likelihood;
    const EdgeTests tests = test_edges(rows, truth);
    int n = 0;
    for (std::uint32_t a = 0; a < 64 && n < 5; a += 7) {
      if (truth.failure(2, a) < 1) continue;
      ++n;
      for (std::size_t k = 0; k < constants::refinement::tried_failures.size(); ++k) {
        auto edges = truth.edges();
        edges.push_back({2, a, constants::refinement::tried_failures[k]});
        const double more = expect(rows, {truth.causes(), truth.observed(), edges}).log_likelihood;
        EXPECT_NEAR(tests.with_edge[k][2 * 64 + a], more - all, 1e-3 * std::abs(more - all) + 1e-3);
      }
    }
    EXPECT_EQ(n, 5);
  }
}

// Twelve rows of 500 have both the cause and a variable that is next to never on without it: that
// is worth some 25 nats, of which the score test, blind to how unlikely they are, sees 12 / 2.
TEST(EdgeTests, a_strong_edge_of_a_rare_cause_promises_what_it_is_worth) {
  const model::NoisyOrNetwork truth(
      {{"u", .05}}, {{"a", .001}, {"b", .001}, {"c", .001}, {"d", .001}, {"e", .005}},
      {{0, 0, .1}, {0, 1, .1}, {0, 2, .1}, {0, 3, .1}, {0, 4, .5}});
  const data::BitPanels values = learning::draw(truth, 1, 500);
  const learning::RowPass rows(lone_team(), 1, values, nullptr);
  auto edges = truth.edges();
  edges.pop_back();
  auto observed = truth.observed();
  observed[4].leak = .03;  // what explains it without the cause
  const model::NoisyOrNetwork without(truth.causes(), observed, edges);
  const double worth = expect(rows, truth).log_likelihood - expect(rows, without).log_likelihood;
  const EdgeTests tests = test_edges(rows, without);
  EXPECT_GT(worth, 15);
  EXPECT_GT(best_addition(tests, 4).gain, .5 * worth);
  EXPECT_NEAR(best_addition(tests, 4).failure, .5, .31);
}

TEST_P(TestedEdges, variances_are_sums_of_squared_slopes_of_rows) {
  constexpr std::size_t n_rows = 60;
  const learning::SampledInPart sampled(truth_, 9, n_rows, GetParam());
  const EdgeTests tests = test_edges(rows_of(sampled), network_);
  std::vector<double> squares(tests.variance.size(), 0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    data::BitPanels values(64, 1);
    data::BitPanels missing(64, 1);
    for (std::size_t a = 0; a < 64; ++a) {
      values.set(0, a, sampled.values.at(row, a));
      missing.set(0, a, sampled.missing.at(row, a));
    }
    const EdgeTests of_row = test_edges({lone_team(), 1, values, &missing}, network_);
    for (std::size_t i = 0; i < squares.size(); ++i) {
      squares[i] += of_row.slope[i] * of_row.slope[i];
    }
  }
  for (std::size_t i = 0; i < squares.size(); ++i) {
    EXPECT_NEAR(tests.variance[i], squares[i], 1e-9 * (1 + squares[i])) << i;
  }
}

}  // namespace
}  // namespace orrery::quartet
