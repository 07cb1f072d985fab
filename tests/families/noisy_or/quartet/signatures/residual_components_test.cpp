// Causes that many pairs show together: found where one was left out, or learned as one with
// another, and nowhere else.
#include "families/noisy_or/quartet/signatures/residual_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using model::NoisyOrNetwork;

/// Causes that switch each of their children on in at most three of ten rows.
NoisyOrNetwork weak_causes() {
  return *model::generate_network("con:8-24,causes=8,failure=.7-.9,observed=60", 5);
}

std::vector<Elected> seeds_of(const NoisyOrNetwork& truth, const NoisyOrNetwork& network,
                              int threads = 1, std::size_t n_rows = 20'000) {
  const learning::Sampled sampled(truth, 3, n_rows);
  const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"),
                                     threads);
  return causes_of_components(with_rows.context(), network);
}

/// The network with these causes and edges, and leaks that make each variable as frequent as
/// `truth` does.
NoisyOrNetwork with_leaks_of(const NoisyOrNetwork& truth, std::vector<model::Cause> causes,
                             std::vector<model::Edge> edges) {
  NoisyOrNetwork network(std::move(causes), truth.observed(), std::move(edges));
  std::vector<model::Observed> observed = truth.observed();
  for (std::uint32_t a = 0; a < truth.n_observed(); ++a) {
    const std::vector<std::uint32_t> alone{a};
    const double ratio = truth.negative_moment(alone) / network.negative_moment(alone);
    observed[a].leak = std::clamp(1 - (1 - observed[a].leak) * ratio, 1e-6, 1 - 1e-6);
  }
  return {network.causes(), std::move(observed), network.edges()};
}

double largest_cosine(const std::vector<Elected>& seeds, const std::vector<double>& failures) {
  double largest = 0;
  for (const Elected& seed : seeds) {
    largest = std::max(largest, cosine_of_strengths(seed.failures, failures));
  }
  return largest;
}

TEST(ResidualComponents, of_the_true_network_are_none) {
  const NoisyOrNetwork truth = weak_causes();
  EXPECT_TRUE(seeds_of(truth, truth).empty());
}

// Their eigenvalues are beyond noise: a few rows more or less make them.
TEST(ResidualComponents, of_rare_causes_are_none) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const NoisyOrNetwork truth = *model::generate_network(
        "con:25-35,causes=12,observed=60,prior=.004-.008,failure=.05-.2,leak=.01-.02", seed);
    EXPECT_TRUE(seeds_of(truth, truth, 1, 2'000).empty()) << seed;
  }
}

TEST(ResidualComponents, of_values_that_are_missing_are_none) {
  const NoisyOrNetwork truth = weak_causes();
  for (const double share : {.2, .4, .6}) {
    const learning::SampledInPart sampled(truth, 3, 20'000, share);
    const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"));
    EXPECT_TRUE(causes_of_components(with_rows.context(), truth).empty()) << share;
  }
}

TEST(ResidualComponents, of_variables_that_are_never_seen_together_are_none) {
  const NoisyOrNetwork truth = weak_causes();
  int row = -1;
  const learning::SampledInPart sampled(truth, 3, 20'000, [&row](RowRandom&, std::size_t x) {
    if (x == 0) ++row;
    return x < 4 && (x + static_cast<unsigned>(row)) % 4 != 0;
  });
  const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"));
  EXPECT_TRUE(causes_of_components(with_rows.context(), truth).empty());
}

TEST(ResidualComponents, show_a_cause_that_was_left_out) {
  const NoisyOrNetwork truth = weak_causes();
  std::vector<model::Edge> edges;
  for (const model::Edge& edge : truth.edges()) {
    if (edge.cause != 0) edges.push_back({edge.cause - 1, edge.observed, edge.failure});
  }
  const NoisyOrNetwork without =
      with_leaks_of(truth, {truth.causes().begin() + 1, truth.causes().end()}, std::move(edges));
  const std::vector<Elected> seeds = seeds_of(truth, without);
  ASSERT_FALSE(seeds.empty());
  EXPECT_GT(largest_cosine(seeds, truth.dense_failures(0)), .8);
  const std::vector<Elected> again = seeds_of(truth, without, 2);
  ASSERT_EQ(again.size(), seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) EXPECT_EQ(again[i].failures, seeds[i].failures);
}

/// The true network with its first two causes learned as one: present where one of the two is.
NoisyOrNetwork first_two_as_one(const NoisyOrNetwork& truth) {
  std::vector<model::Cause> causes(truth.causes().begin() + 1, truth.causes().end());
  causes[0].prior += truth.causes()[0].prior;
  std::vector<model::Edge> edges;
  const std::vector<double> first = truth.dense_failures(0);
  const std::vector<double> second = truth.dense_failures(1);
  for (std::uint32_t a = 0; a < truth.n_observed(); ++a) {
    const double failure = (first[a] + second[a]) / 2;
    if (failure < 1) edges.push_back({0, a, failure});
  }
  for (const model::Edge& edge : truth.edges()) {
    if (edge.cause > 1) edges.push_back({edge.cause - 1, edge.observed, edge.failure});
  }
  return with_leaks_of(truth, std::move(causes), std::move(edges));
}

TEST(ResidualComponents, show_two_causes_that_were_learned_as_one) {
  const NoisyOrNetwork truth = weak_causes();
  const std::vector<Elected> seeds = seeds_of(truth, first_two_as_one(truth));
  ASSERT_GE(seeds.size(), 2U);
  EXPECT_GT(largest_cosine(seeds, truth.dense_failures(0)), .7);
  EXPECT_GT(largest_cosine(seeds, truth.dense_failures(1)), .7);
}

/// What refinement has left of the network.
State state_of(const NoisyOrNetwork& network) {
  const std::size_t m = network.n_observed();
  State state;
  state.begin_round(1, WorkPlan(m).n_units());
  state.seeds.failed.assign(m, 0);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    Elected cause;
    cause.prior = network.causes()[u].prior;
    cause.failures = network.dense_failures(u);
    cause.failure_errors.assign(m, 0);
    state.add(cause);
  }
  state.n_refined = network.n_causes();
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
  return state;
}

TEST(ResidualComponents, part_two_causes_that_were_learned_as_one) {
  const NoisyOrNetwork truth = weak_causes();
  const learning::Sampled sampled(truth, 3, 20'000);
  const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"));
  State state = state_of(first_two_as_one(truth));
  EXPECT_TRUE(add_components(
                  with_rows.context(), .05, Settle::all, [] {}, state)
                  .has_value());
  const NoisyOrNetwork found = refined_network(with_rows.context(), state);
  // Others are of the few rows that chance may make, and go where doubtful edges do.
  EXPECT_EQ(std::ranges::count_if(found.causes(), [](const auto& u) { return u.prior > .01; }), 8);
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    double closest = 0;
    for (std::size_t v = 0; v < found.n_causes(); ++v) {
      closest =
          std::max(closest, cosine_of_strengths(truth.dense_failures(u), found.dense_failures(v)));
    }
    EXPECT_GT(closest, .95) << u;
  }
}

TEST(ResidualComponents, leave_a_network_that_fits_as_it_is) {
  const NoisyOrNetwork truth = weak_causes();
  const learning::Sampled sampled(truth, 3, 20'000);
  const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"));
  State state = state_of(truth);
  EXPECT_FALSE(add_components(
                   with_rows.context(), .05, Settle::all, [] {}, state)
                   .has_value());
  EXPECT_EQ(state.failures, state_of(truth).failures);
}

TEST(ResidualComponents, are_given_up_where_time_is_up) {
  const NoisyOrNetwork truth = weak_causes();
  const learning::Sampled sampled(truth, 3, 20'000);
  const learning::WithRows with_rows(sampled, std::vector<std::string>(truth.n_observed(), "x"));
  State state = state_of(first_two_as_one(truth));
  int n_passes = 0;
  const auto end = [&n_passes] {
    if (++n_passes == 3) throw learning::TimeUp("time is up");
  };
  EXPECT_FALSE(add_components(with_rows.context(), .05, Settle::all, end, state).has_value());
  EXPECT_EQ(state.failures, state_of(first_two_as_one(truth)).failures);
}

}  // namespace
}  // namespace orrery::quartet
