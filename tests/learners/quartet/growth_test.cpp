// Growth and its parts: the forest, the expected pairs, EM, and networks that it finds.
#include "learners/quartet/growth/growth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "learners/quartet/growth/network.hpp"
#include "learners/run_learner.hpp"
#include "learners/sampled.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/anchored_sampling.hpp"

namespace orrery::quartet {
namespace {

/// E[prod of factors of the causes that are on], by all states.
double by_all_states(const Forest& forest, const std::vector<double>& factors) {
  double sum = 0;
  for (std::uint64_t state = 0; state < (std::uint64_t{1} << forest.size()); ++state) {
    double p = 1;
    for (std::size_t c = 0; c < forest.size(); ++c) {
      const bool above =
          forest.parent[c] >= 0 && ((state >> static_cast<std::size_t>(forest.parent[c])) & 1U);
      const double on = forest.on[c][above ? 1 : 0];
      p *= ((state >> c) & 1U) != 0 ? on * factors[c] : 1 - on;
    }
    sum += p;
  }
  return sum;
}

Forest small_forest() {
  Forest forest;
  forest.parent = {2, -1, -1, 2, 3};
  forest.on = {{.1, .7}, {.3, .3}, {.4, .4}, {.6, .2}, {.25, .5}};
  return forest;
}

TEST(Forest, expectations_are_sums_over_all_states) {
  const Forest forest = small_forest();
  const std::vector<double> factors{.3, .9, .5, .2, .7};
  EXPECT_NEAR(forest.expectation(factors, forest.order()), by_all_states(forest, factors), 1e-14);
  for (std::size_t c = 0; c < 5; ++c) {
    std::vector<double> off(5, 1);
    off[c] = 0;
    EXPECT_NEAR(forest.marginals()[c], 1 - by_all_states(forest, off), 1e-14);
  }
}

TEST(Forest, without_a_cause_the_others_keep_their_marginals) {
  Forest forest = small_forest();
  const std::vector<double> before = forest.marginals();
  forest.remove(2);
  ASSERT_EQ(forest.size(), 4);
  const std::vector<double> after = forest.marginals();
  EXPECT_NEAR(after[0], before[0], 1e-14);
  EXPECT_NEAR(after[1], before[1], 1e-14);
  EXPECT_NEAR(after[2], before[3], 1e-14);
  EXPECT_NEAR(after[3], before[4], 1e-14);
  EXPECT_TRUE(forest.is_sound());
}

TEST(Forest, is_learned_from_exact_pairs) {
  const Forest truth = small_forest();
  constexpr double n_rows = 1e4;
  std::vector<double> present, together(10);
  for (const double share : truth.marginals()) present.push_back(n_rows * share);
  for (std::size_t d = 1; d < 5; ++d) {
    for (std::size_t c = 0; c < d; ++c) {
      std::vector<double> off_c(5, 1), off_d(5, 1), off(5, 1);
      off_c[c] = off_d[d] = off[c] = off[d] = 0;
      together[pair_index(c, d)] =
          n_rows * (1 - by_all_states(truth, off_c) - by_all_states(truth, off_d) +
                    by_all_states(truth, off));
    }
  }
  const Forest learned = learn_forest(present, together, n_rows, 8);
  using Edge = std::pair<std::size_t, std::size_t>;
  std::set<Edge> edges;
  for (std::size_t c = 0; c < 5; ++c) {
    if (learned.parent[c] < 0) continue;
    edges.insert(std::minmax(c, static_cast<std::size_t>(learned.parent[c])));
  }
  EXPECT_EQ(edges, (std::set<Edge>{{0, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(learn_forest(present, together, n_rows, 1e9).n_edges(), 0);
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
  for (int a = 0; a < 30; ++a) observed.push_back({"x" + std::to_string(a), .02});
  return {causes, observed, edges, model::CauseNetwork(std::move(tables))};
}

data::BitPanels rows_of(const model::NoisyOrNetwork& network, std::uint64_t seed, std::size_t n) {
  data::BitPanels values(network.n_observed(), n);
  values.insert(0, model::sample_anchored_rows(network, seed, 0, n));
  return values;
}

GrowthState grown(const learners::Sampled& sampled, int threads, GrowthState from = {}) {
  const learners::RowPass rows(learners::lone_team(), threads, sampled.values, nullptr);
  Growth growth(rows, sampled.moments, {}, std::move(from));
  growth.run();
  return growth.state();
}

TEST(ResidualPairs, are_none_where_the_network_is_the_true_one) {
  const model::NoisyOrNetwork truth = dependent_network();
  const learners::Sampled sampled(rows_of(truth, 1, 20'000));
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
  const learners::Sampled sampled(rare, 7, 20'000);
  EXPECT_EQ(ResidualPairs(to_grown(rare), sampled.moments, 1, 20'000).share_beyond(5), 0);
  model::NoisyOrNetwork apart({{"u", .3}}, std::vector<model::Observed>(30, {"x", .02}),
                              {{0, 0, .2}, {0, 1, .3}, {0, 2, .4}, {0, 3, .2}, {0, 4, .3}});
  const learners::SampledInPart in_part(apart, 8, 20'000, .1);
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
  const learners::RowPass rows(learners::lone_team(), 2, values, &missing);
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
  const learners::Sampled sampled(rows_of(dependent_network(), 2, 3'000));
  const learners::RowPass rows(learners::lone_team(), 2, sampled.values, nullptr);
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

TEST(GrownEm, losses_are_what_the_likelihood_loses_without_an_edge) {
  const learners::Sampled sampled(rows_of(dependent_network(), 3, 1'000));
  const learners::RowPass rows(learners::lone_team(), 1, sampled.values, nullptr);
  const AllRows all(rows);
  Grown grown = to_grown(dependent_network());
  const model::BeamOptions wide{60, 60, 4000, 4000};
  const SumPlaces at{6, 30, false, true};
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

TEST(Growth, finds_causes_that_depend_on_one_another) {
  const learners::Sampled sampled(rows_of(dependent_network(), 4, 10'000));
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
    if (found.causes.parent[c] < 0) continue;
    EXPECT_EQ(number[c] / 2, number[static_cast<std::size_t>(found.causes.parent[c])] / 2);
  }
}

TEST(Growth, is_the_same_for_any_number_of_threads_and_from_any_checkpoint) {
  const learners::Sampled sampled(rows_of(dependent_network(), 5, 4'000));
  const std::vector<double> whole = grown(sampled, 1).pack();
  EXPECT_EQ(grown(sampled, 3).pack(), whole);
  const learners::RowPass rows(learners::lone_team(), 1, sampled.values, nullptr);
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
  const learners::Sampled sampled(rows_of(dependent_network(), 6, 500));
  const std::vector<double> packed = grown(sampled, 1).pack();
  ASSERT_GT(packed.size(), 6);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (i == 2 || i == 3) continue;  // the likelihood and a count of rows may be anything
    std::vector<double> damaged = packed;
    damaged[i] = -7;
    const std::size_t m = 30, n = static_cast<std::size_t>(packed[4]);
    const std::size_t first_z = 6 + m + n * m;
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
