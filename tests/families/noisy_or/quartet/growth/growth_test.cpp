// Growth and its parts: the network of the causes, the expected pairs, EM, and networks that it
// finds.
#include "families/noisy_or/quartet/growth/growth.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/drawn_rows.hpp"
#include "orrery/base/error.hpp"

namespace orrery::quartet {
namespace {

/// P(state of all causes), bit c that of cause c.
double probability(const CauseGraph& graph, std::uint64_t state) {
  double p = 1;
  for (std::size_t c = 0; c < graph.size(); ++c) {
    const auto& [parents, on] = graph.tables[c];
    std::size_t above = 0;
    for (std::size_t i = 0; i < parents.size(); ++i) above |= ((state >> parents[i]) & 1U) << i;
    p *= ((state >> c) & 1U) != 0 ? on[above] : 1 - on[above];
  }
  return p;
}

/// P(all causes of `set` on), by all states.
double share_with(const CauseGraph& graph, std::uint64_t set) {
  double sum = 0;
  for (std::uint64_t state = 0; state < (std::uint64_t{1} << graph.size()); ++state) {
    if ((state & set) == set) sum += probability(graph, state);
  }
  return sum;
}

/// E[prod of factors of the causes that are on], by all states.
double by_all_states(const CauseGraph& graph, const std::vector<double>& factors) {
  double sum = 0;
  for (std::uint64_t state = 0; state < (std::uint64_t{1} << graph.size()); ++state) {
    double p = probability(graph, state);
    for (std::size_t c = 0; c < graph.size(); ++c) p *= ((state >> c) & 1U) != 0 ? factors[c] : 1;
    sum += p;
  }
  return sum;
}

CauseGraph small_forest() {
  return {{{{2}, {.1, .7}}, {{}, {.3}}, {{}, {.4}}, {{2}, {.6, .2}}, {{3}, {.25, .5}}}};
}

/// Cause 3 is on with either of 0 and 2 and hardly ever with both.
CauseGraph small_graph() {
  CauseGraph graph = small_forest();
  graph.tables[3] = {{0, 2}, {.2, .7, .6, .3}};
  return graph;
}

/// What `n_rows` rows expect of a network of causes.
struct ExactCounts {
  std::vector<double> present, together, triples;
  CauseCounts counts;

  ExactCounts(const CauseGraph& graph, double n_rows, bool with_triples) {
    const auto bit = [](std::size_t c) { return std::uint64_t{1} << c; };
    const std::size_t n = graph.size();
    for (std::size_t c = 0; c < n; ++c) present.push_back(n_rows * share_with(graph, bit(c)));
    for (std::size_t d = 1; d < n; ++d) {
      for (std::size_t c = 0; c < d; ++c) {
        EXPECT_EQ(pair_index(c, d), together.size());
        together.push_back(n_rows * share_with(graph, bit(c) | bit(d)));
      }
    }
    for (std::size_t e = 2; with_triples && e < n; ++e) {
      for (std::size_t d = 1; d < e; ++d) {
        for (std::size_t c = 0; c < d; ++c) {
          EXPECT_EQ(triple_index(c, d, e), triples.size());
          triples.push_back(n_rows * share_with(graph, bit(c) | bit(d) | bit(e)));
        }
      }
    }
    counts = {n_rows, present, together, triples};
  }
};

void expect_same_distribution(const CauseGraph& found, const CauseGraph& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::uint64_t state = 0; state < (std::uint64_t{1} << found.size()); ++state) {
    EXPECT_NEAR(probability(found, state), probability(wanted, state), 1e-4) << state;
  }
}

TEST(CauseGraph, expectations_are_sums_over_all_states) {
  const std::vector<double> factors{.3, .9, .5, .2, .7};
  for (const CauseGraph& graph : {small_forest(), small_graph()}) {
    EXPECT_NEAR(CauseGraphSums(graph).expectation(factors), by_all_states(graph, factors), 1e-14);
    for (std::size_t c = 0; c < 5; ++c) {
      EXPECT_NEAR(graph.marginals()[c], share_with(graph, std::uint64_t{1} << c), 1e-14);
    }
  }
}

TEST(CauseGraph, without_a_cause_its_children_keep_what_their_other_parents_say) {
  CauseGraph graph = small_forest();
  const std::vector<double> before = graph.marginals();
  graph.remove(2);
  ASSERT_EQ(graph.size(), 4);
  const std::vector<double> after = graph.marginals();
  EXPECT_NEAR(after[0], before[0], 1e-14);
  EXPECT_NEAR(after[1], before[1], 1e-14);
  EXPECT_NEAR(after[2], before[3], 1e-14);
  EXPECT_NEAR(after[3], before[4], 1e-14);
  EXPECT_TRUE(graph.is_sound());

  const CauseGraph whole = small_graph();
  CauseGraph without = whole;
  without.remove(0);
  EXPECT_EQ(without.tables[2].parents, (std::vector<std::uint32_t>{1}));
  // P(3 | 2) where 0 is summed out: bits 2 and 3 of the whole, 1 and 2 of what is left.
  EXPECT_NEAR(without.tables[2].on[1], share_with(whole, 0b1100) / share_with(whole, 0b0100),
              1e-12);
  EXPECT_NEAR(
      without.tables[2].on[0],
      (share_with(whole, 0b1000) - share_with(whole, 0b1100)) / (1 - share_with(whole, 0b100)),
      1e-12);
}

TEST(CauseGraph, a_forest_is_learned_from_exact_pairs) {
  const ExactCounts exact(small_forest(), 1e6, false);
  const CauseGraph learned = learn_graph(exact.counts, {4, 4});
  using Edge = std::pair<std::size_t, std::size_t>;
  std::set<Edge> edges;
  for (std::size_t c = 0; c < 5; ++c) {
    for (const std::size_t parent : learned.tables[c].parents) edges.insert(std::minmax(c, parent));
  }
  EXPECT_EQ(edges, (std::set<Edge>{{0, 2}, {2, 3}, {3, 4}}));
  expect_same_distribution(learned, small_forest());
  EXPECT_EQ(learn_graph(exact.counts, {1e9, 0}).n_edges(), 0);
}

TEST(CauseGraph, second_parents_are_learned_from_exact_triples_where_they_pay) {
  const ExactCounts exact(small_graph(), 1e6, true);
  const CauseGraph learned = learn_graph(exact.counts, {4, 4});
  EXPECT_TRUE(learned.is_sound());
  EXPECT_EQ(learned.n_edges(), 4);
  expect_same_distribution(learned, small_graph());
  // Of pairs alone a forest is learned, which cannot say it; nor is there anything more in a
  // forest.
  EXPECT_EQ(learn_graph(ExactCounts(small_graph(), 1e6, false).counts, {4, 4}).n_edges(), 3);
  const ExactCounts forest(small_forest(), 1e6, true);
  EXPECT_EQ(learn_graph(forest.counts, {4, 4}).n_edges(), 3);
  expect_same_distribution(learn_graph(forest.counts, {4, 4}), small_forest());
}

TEST(CauseGraph, is_sound_without_a_cycle_and_a_third_parent) {
  EXPECT_TRUE(small_graph().is_sound());
  CauseGraph cycle = small_graph();
  cycle.tables[2] = {{4}, {.1, .2}};
  EXPECT_FALSE(cycle.is_sound());
  CauseGraph three = small_graph();
  three.tables[4] = {{0, 1, 2}, std::vector<double>(8, .5)};
  EXPECT_FALSE(three.is_sound());
  CauseGraph nobody = small_graph();
  nobody.tables[4] = {{7}, {.1, .2}};
  EXPECT_FALSE(nobody.is_sound());
}

/// Six causes of five variables each in pairs that come together, over 30 variables.
model::NoisyOrNetwork dependent_network() {
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  std::vector<model::CauseTable> tables(6);
  for (std::uint32_t c = 0; c < 6; ++c) {
    tables[c].on = {.2};
    if (c % 2 == 1) tables[c] = {{c - 1}, {.08, .6}};
    causes.push_back({std::string(1, static_cast<char>('a' + c)), c % 2 == 0 ? .2 : .184});
    for (std::uint32_t k = 0; k < 6; ++k) edges.push_back({c, (5 * c + k) % 30, .15 + .05 * k});
  }
  for (int a = 0; a < 30; ++a) observed.push_back({fmt::format("x{}", a), .02});
  return {causes, observed, edges, model::CauseNetwork(std::move(tables))};
}

data::BitPanels rows_of(const model::NoisyOrNetwork& network, std::uint64_t seed, std::size_t n) {
  data::BitPanels values(network.n_observed(), n);
  values.insert(0, model::sample_anchored_rows(network, seed, 0, n));
  return values;
}

GrowthState grown(const learning::Sampled& sampled, int threads, GrowthState from = {}) {
  const learning::RowPass rows(learning::lone_team(), threads, sampled.values, nullptr);
  Growth growth(rows, sampled.moments, {}, std::move(from));
  growth.run();
  return growth.state();
}

TEST(ResidualPairs, are_none_where_the_network_is_the_true_one) {
  const model::NoisyOrNetwork truth = dependent_network();
  const learning::Sampled sampled(rows_of(truth, 1, 20'000));
  EXPECT_LT(ResidualPairs(to_grown(truth), sampled.moments, 1, 20'000).share_beyond(3), .02);
  // As if the causes were independent, each of the three pairs of causes is missed.
  Grown independent = to_grown(truth);
  independent.causes = {};
  for (const model::Cause& cause : truth.causes()) independent.causes.add_root(cause.prior);
  EXPECT_GT(ResidualPairs(independent, sampled.moments, 1, 20'000).share_beyond(3), .1);
}

// One row of a pair that is expected in none is no misfit, and neither are moments of other rows.
TEST(ResidualPairs, allow_for_rare_pairs_and_for_missing_values) {
  const model::NoisyOrNetwork rare({}, std::vector<model::Observed>(60, {"x", .002}), {});
  const learning::Sampled sampled(rare, 7, 20'000);
  EXPECT_EQ(ResidualPairs(to_grown(rare), sampled.moments, 1, 20'000).share_beyond(5), 0);
  model::NoisyOrNetwork apart({{"u", .3}}, std::vector<model::Observed>(30, {"x", .02}),
                              {{0, 0, .2}, {0, 1, .3}, {0, 2, .4}, {0, 3, .2}, {0, 4, .3}});
  const learning::SampledInPart in_part(apart, 8, 20'000, .1);
  EXPECT_LT(ResidualPairs(to_grown(apart), *in_part.moments, 1, 20'000).share_beyond(3), .02);
}

TEST(TrialRows, have_each_row_that_differs_once_with_its_weight) {
  // Ten kinds of rows, 1,000 of each; the mask hides what a missing value holds.
  data::BitPanels values(70, 10'000), missing(70, 10'000);
  for (std::size_t r = 0; r < 10'000; ++r) {
    values.set(r, 7 * (r % 10), true);
    values.set(r, 65, r % 20 < 10);
    missing.set(r, 65, true);
  }
  const learning::RowPass rows(learning::lone_team(), 2, values, &missing);
  const AllRows all(rows);
  EXPECT_EQ(all.n_rows(), 10'000);
  ASSERT_EQ(all.distinct().n_rows(), 10);
  EXPECT_EQ(all.weights(), std::vector<double>(10, 1'000));
  const TrialRows trial(all.distinct(), all.weights(), 70, 4);
  EXPECT_EQ(trial.n_rows(), 10'000);
  Grown grown;
  grown.leaks.assign(70, .25);
  grown.leaks[7] = .125;
  const SumPlaces at{0, 70, true};
  for (const PartedRows* const some :
       {static_cast<const PartedRows*>(&all), static_cast<const PartedRows*>(&trial)}) {
    const std::vector<double> sums = expect(*some, grown, {}, at);
    EXPECT_EQ(sums[SumPlaces::n_rows], 10'000);
    EXPECT_EQ(sums[at.missing + 65], 10'000);
    EXPECT_EQ(sums[at.missing + 7], 0);
    EXPECT_NEAR(sums[at.inverse + 7], 1'000 / .125, 1e-6);
  }
}

TEST(GrownEm, a_pass_never_lowers_the_likelihood_and_counts_equal_rows_once) {
  const learning::Sampled sampled(rows_of(dependent_network(), 2, 3'000));
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  const AllRows all(rows);
  const TrialRows trial(rows, {}, 30, 1);
  Grown grown = to_grown(dependent_network());
  for (auto& failures : grown.failures) {
    for (double& failure : failures) failure = failure < 1 ? .5 : .9;
  }
  GrownFitOptions once;
  once.passes = 1;
  once.beam = {30, 20, 400, 400};
  double before = log_likelihood(all, grown, once.beam);
  EXPECT_NEAR(log_likelihood(trial, grown, once.beam), before, 1e-6 * std::abs(before));
  for (int pass = 0; pass < 8; ++pass) {
    grown = fit(all, grown, once).grown;
    const double after = log_likelihood(all, grown, once.beam);
    EXPECT_GT(after, before - 1) << pass;  // the half cases of the leaks may cost a little
    before = after;
  }
}

/// Its strengths, priors and leaks are far off.
Grown rough_start() {
  Grown grown = to_grown(dependent_network());
  for (auto& failures : grown.failures) {
    for (double& failure : failures) failure = failure < 1 ? .6 : .97;
  }
  for (double& leak : grown.leaks) leak = .15;
  return grown;
}

TEST(GrownEm, passes_over_the_states_found_climb_as_far_as_searches) {
  const learning::SampledInPart sampled(dependent_network(), 12, 4'000, .1);
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, &sampled.missing);
  const AllRows all(rows);
  GrownFitOptions options;
  options.passes = constants::growth::passes_per_search;
  const GrownFit fitted = fit(all, rough_start(), options);
  // Each pass a search: the first one always is.
  GrownFitOptions once = options;
  once.passes = 1;
  Grown searched = rough_start();
  for (int step = 0; step < options.passes; ++step) searched = fit(all, searched, once).grown;
  const double by_searches = log_likelihood(all, searched, options.beam);
  EXPECT_LT(log_likelihood(all, rough_start(), options.beam), by_searches - 500);
  EXPECT_GT(log_likelihood(all, fitted.grown, options.beam), by_searches - 1);
}

// What the states that were found leave out of the likelihood would make it fall by more than a
// pass gains, from a search to the pass after it.
TEST(GrownEm, does_not_end_by_what_the_states_found_leave_out) {
  const learning::SampledInPart sampled(dependent_network(), 12, 4'000, .1);
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, &sampled.missing);
  const AllRows all(rows);
  GrownFitOptions options;
  options.passes = 2 * constants::growth::passes_per_search;
  options.tolerance = 0;
  std::size_t n_visits = 0;
  options.pause = [&] { ++n_visits; };
  const GrownFit fitted = fit(all, rough_start(), options);
  EXPECT_EQ(n_visits, static_cast<std::size_t>(options.passes) * all.n_parts());
  EXPECT_LT(log_likelihood(all, rough_start(), options.beam), fitted.log_likelihood - 500);
}

TEST(GrownEm, losses_are_what_the_likelihood_loses_without_an_edge) {
  const learning::Sampled sampled(rows_of(dependent_network(), 3, 1'000));
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  const AllRows all(rows);
  Grown grown = to_grown(dependent_network());
  const model::BeamOptions wide{60, 60, 4000, 4000};
  const SumPlaces at{6, 30, false, true, false};
  const std::vector<double> sums = expect(all, grown, wide, at);
  for (std::size_t c = 0; c < 6; ++c) {
    const std::size_t a = 5 * c + 2;
    const double kept = grown.failures[c][a];
    grown.failures[c][a] = 1;
    const double without = log_likelihood(all, grown, wide);
    grown.failures[c][a] = kept;
    const double loss = sums[SumPlaces::log_likelihood] - without;
    EXPECT_NEAR(sums[at.loss + c * 30 + a], loss, .02 * std::abs(loss) + .05) << c;
  }
}

TEST(GrownEm, causes_lose_what_the_likelihood_does_with_the_cause_never_on) {
  Grown grown = to_grown(dependent_network());
  for (double& leak : grown.leaks) leak = .4;  // no row is all but sure of a cause
  const std::vector<std::string> names(30, "x");
  const learning::Sampled sampled(
      rows_of(to_network(grown, {"a", "b", "c", "d", "e", "f"}, names), 3, 1'000));
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  const AllRows all(rows);
  const model::BeamOptions wide{60, 60, 4000, 4000};
  const SumPlaces at{6, 30, false, true, false};
  const std::vector<double> sums = expect(all, grown, wide, at);
  for (const std::size_t root : {0, 2, 4}) {
    Grown never = grown;
    never.failures[root].assign(30, 1);
    never.causes.tables[root + 1] = {{}, {grown.causes.tables[root + 1].on[0]}};
    const double loss = sums[SumPlaces::log_likelihood] - log_likelihood(all, never, wide);
    const double off = std::log1p(-grown.causes.tables[root].on[0]);
    EXPECT_GT(loss, 10);
    EXPECT_NEAR(sums[at.cause_loss + root] + 1'000 * off, loss, .03 * loss) << root;
  }
}

TEST(Growth, finds_causes_that_depend_on_one_another) {
  const learning::Sampled sampled(rows_of(dependent_network(), 4, 10'000));
  const GrowthState state = grown(sampled, 2);
  const Grown& found = state.fit.grown;
  const model::NoisyOrNetwork truth = dependent_network();
  ASSERT_EQ(found.n_causes(), 6);
  std::map<std::size_t, std::size_t> number;  // of the true cause
  for (std::size_t c = 0; c < 6; ++c) {
    for (std::size_t u = 0; u < 6; ++u) {
      const bool same = std::ranges::all_of(truth.children(u), [&](const model::Edge& edge) {
        return std::abs(found.failures[c][edge.observed] - edge.failure) < .15;
      });
      if (same) number[c] = u;
    }
  }
  ASSERT_EQ(number.size(), 6);
  ASSERT_EQ(found.causes.n_edges(), 3);
  for (std::size_t c = 0; c < 6; ++c) {
    for (const std::size_t parent : found.causes.tables[c].parents) {
      EXPECT_EQ(number[c] / 2, number[parent] / 2);
    }
  }
}

/// As dependent_network, but f comes with either of b and d and not with both.
model::NoisyOrNetwork network_with_two_parents() {
  const model::NoisyOrNetwork forest = dependent_network();
  std::vector<model::CauseTable> tables = forest.cause_network().tables();
  tables[5] = {{1, 3}, {.04, .7, .7, .04}};
  std::vector<model::Cause> causes = forest.causes();
  const double apart = 2 * .184 * .816;
  causes[5].prior = .7 * apart + .04 * (1 - apart);
  return {causes, forest.observed(), forest.edges(), model::CauseNetwork(std::move(tables))};
}

TEST(GrownEm, triples_are_how_often_three_causes_are_expected_together) {
  const learning::Sampled sampled(rows_of(network_with_two_parents(), 9, 2'000));
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  const AllRows all(rows);
  const Grown grown = to_grown(network_with_two_parents());
  const SumPlaces at{6, 30, false, false, true};
  const model::BeamOptions wide{60, 60, 4000, 4000};
  const std::vector<double> sums = expect(all, grown, wide, at);
  ASSERT_EQ(at.end - at.triples, 20);
  // Of the rows of the true network about as many as it says; by chance within five errors.
  for (const auto& set :
       {std::array<std::size_t, 3>{1, 3, 5}, std::array<std::size_t, 3>{0, 1, 5}}) {
    std::uint64_t bits = 0;
    for (const std::size_t c : set) bits |= std::uint64_t{1} << c;
    const double share = share_with(grown.causes, bits);
    EXPECT_NEAR(sums[at.triples + triple_index(set[0], set[1], set[2])], 2'000 * share,
                5 * std::sqrt(2'000 * share));
  }
}

/// As dependent_network, with a seventh cause that is on in so many rows.
model::NoisyOrNetwork network_with_rare_cause(double prior) {
  const model::NoisyOrNetwork common = dependent_network();
  std::vector<model::Cause> causes = common.causes();
  std::vector<model::Edge> edges = common.edges();
  std::vector<model::CauseTable> tables = common.cause_network().tables();
  causes.push_back({"rare", prior});
  tables.push_back({{}, {prior}});
  for (std::uint32_t k = 0; k < 6; ++k) edges.push_back({6, 5 * k + 2, .3});
  return {causes, common.observed(), edges, model::CauseNetwork(std::move(tables))};
}

TEST(Growth, keeps_a_cause_that_is_worth_several_times_its_cost) {
  for (const double prior : {.006, .001}) {
    const model::NoisyOrNetwork truth = network_with_rare_cause(prior);
    GrowthState from;
    from.stage = GrowthState::Stage::settle;
    from.fit.grown = to_grown(truth);
    from.fit.log_likelihood = -std::numeric_limits<double>::infinity();
    from.z.assign(7, 5);
    const learning::Sampled sampled(rows_of(truth, 4, 10'000));
    for (std::size_t a = 0; a < 30; ++a) {
      const double off = sampled.moments.single(a);
      from.independent += 10'000 * (off * std::log(off) + (1 - off) * std::log1p(-off));
    }
    EXPECT_EQ(grown(sampled, 2, from).fit.grown.n_causes(), prior > .003 ? 7 : 6) << prior;
  }
}

/// b and d come with a and c, and share four more children.
model::NoisyOrNetwork network_with_shared_children() {
  const model::NoisyOrNetwork common = dependent_network();
  std::vector<model::Edge> edges = common.edges();
  std::vector<model::Observed> observed = common.observed();
  for (std::uint32_t k = 0; k < 4; ++k) {
    const auto shared = static_cast<std::uint32_t>(observed.size());
    observed.push_back({fmt::format("shared{}", k), .02});
    edges.push_back({1, shared, .1});
    edges.push_back({3, shared, .1});
  }
  return {common.causes(), observed, edges, common.cause_network()};
}

// Growth may come to a cause "b or d" of the shared children, with b and d without them.
TEST(Growth, leaves_the_children_of_a_cause_to_those_that_it_stands_for) {
  const model::NoisyOrNetwork truth = network_with_shared_children();
  Grown apart = to_grown(truth);
  std::vector<double> either(34, 1);
  for (std::size_t a = 30; a < 34; ++a) {
    either[a] = .1;
    apart.failures[1][a] = apart.failures[3][a] = 1;
  }
  apart.failures.push_back(either);
  apart.causes.add_root(1 - .816 * .816);
  GrowthState from;
  from.stage = GrowthState::Stage::settle;
  from.fit.grown = apart;
  from.fit.log_likelihood = -std::numeric_limits<double>::infinity();
  from.z.assign(7, 5);
  const learning::Sampled sampled(rows_of(truth, 4, 10'000));
  const GrowthState state = grown(sampled, 2, from);
  const Grown& found = state.fit.grown;
  ASSERT_EQ(found.n_causes(), 6);
  EXPECT_EQ(state.z.size(), 6);
  for (std::size_t a = 30; a < 34; ++a) {
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_NEAR(found.failures[c][a], c == 1 || c == 3 ? .1 : 1, .05) << c << ", " << a;
    }
  }
}

TEST(Growth, finds_a_cause_that_depends_on_two) {
  const learning::Sampled sampled(rows_of(network_with_two_parents(), 4, 20'000));
  const Grown found = grown(sampled, 2).fit.grown;
  ASSERT_EQ(found.n_causes(), 6);
  const auto n_parents = [](const model::CauseTable& table) { return table.parents.size(); };
  EXPECT_EQ(std::ranges::max(found.causes.tables, {}, n_parents).parents.size(), 2);
  EXPECT_LT(ResidualPairs(found, sampled.moments, 1, 20'000).share_beyond(3), .02);
}

TEST(Growth, expects_each_variable_in_as_many_rows_as_it_is_on) {
  const learning::Sampled sampled(rows_of(dependent_network(), 7, 4'000));
  const Grown found = grown(sampled, 1).fit.grown;
  const CauseGraphSums causes(found.causes);
  for (std::size_t a = 0; a < 30; ++a) {
    std::vector<double> factors;
    for (const auto& failures : found.failures) factors.push_back(failures[a]);
    const double off = (1 - found.leaks[a]) * causes.expectation(factors);
    EXPECT_NEAR(off, sampled.moments.single(a), found.leaks[a] > 2e-3 ? 1e-12 : .02) << a;
  }
}

TEST(Growth, is_the_same_for_any_number_of_threads_and_from_any_checkpoint) {
  const learning::Sampled sampled(rows_of(dependent_network(), 5, 4'000));
  const std::vector<double> whole = grown(sampled, 1).pack();
  EXPECT_EQ(grown(sampled, 3).pack(), whole);
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  const std::vector<std::string> names(30, "x");
  struct Enough {};
  for (const int n_pauses : {0, 3, 20, 60}) {
    std::vector<double> kept;
    int left = n_pauses;
    const Growth* running = nullptr;
    GrowthOptions options;
    options.pause = [&] {
      if (running != nullptr && left-- == 0) {
        kept = running->state().pack();
        throw Enough{};
      }
    };
    Growth growth(rows, sampled.moments, options);
    running = &growth;
    EXPECT_THROW(growth.run(), Enough) << n_pauses;
    // What there is then is a network of all variables, worse than any other until it was fitted.
    EXPECT_EQ(
        to_network(growth.state().fit.grown, std::vector<std::string>(6, "c"), names).n_observed(),
        30);
    if (n_pauses == 0) {
      EXPECT_EQ(growth.score(), -std::numeric_limits<double>::infinity());
    }
    EXPECT_EQ(grown(sampled, 2, GrowthState::unpack(kept, 30)).pack(), whole) << n_pauses;
  }
}

TEST(Growth, a_damaged_checkpoint_is_refused) {
  const learning::Sampled sampled(rows_of(dependent_network(), 6, 500));
  const std::vector<double> packed = grown(sampled, 1).pack();
  ASSERT_GT(packed.size(), 7);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (i >= 2 && i <= 4) continue;  // two likelihoods and a count of rows may be anything
    std::vector<double> damaged = packed;
    damaged[i] = -7;
    const std::size_t m = 30, n = static_cast<std::size_t>(packed[5]);
    const std::size_t first_z = 7 + m + n * m;
    if (i >= first_z && i < first_z + n) continue;  // so may z
    EXPECT_THROW((void)GrowthState::unpack(damaged, 30), InputError) << i;
  }
  std::vector<double> shorter = packed;
  shorter.pop_back();
  EXPECT_THROW((void)GrowthState::unpack(shorter, 30), InputError);
  EXPECT_THROW((void)GrowthState::unpack({}, 30), InputError);
}

}  // namespace
}  // namespace orrery::quartet
