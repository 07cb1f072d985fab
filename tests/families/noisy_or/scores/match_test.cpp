#include "families/noisy_or/scores/match.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"

namespace {

using orrery::model::Cause;
using orrery::model::Edge;
using orrery::model::LearnedModel;
using orrery::model::NoisyOrNetwork;
using orrery::model::Observed;
using orrery::model::Provenance;
using orrery::noisy_or::align_observed;
using orrery::noisy_or::Evaluation;
using orrery::noisy_or::match_cost;
using orrery::noisy_or::score_network;

std::vector<Observed> observed(const std::vector<std::string>& names, double leak = .01) {
  std::vector<Observed> result;
  for (const std::string& name : names) result.push_back({name, leak});
  return result;
}

const std::vector<std::string> six{"a", "b", "c", "d", "e", "f"};

/// Three causes of three children each, overlapping in one; failures .1, priors .2.
NoisyOrNetwork truth() {
  return {{{"X", .2}, {"Y", .2}, {"Z", .2}},
          observed(six),
          {{0, 0, .1},
           {0, 1, .1},
           {0, 2, .1},
           {1, 2, .1},
           {1, 3, .1},
           {1, 4, .1},
           {2, 4, .1},
           {2, 5, .1},
           {2, 0, .1}}};
}

LearnedModel learned(NoisyOrNetwork network, std::vector<Provenance> provenance = {}) {
  LearnedModel model;
  model.network = std::move(network);
  model.provenance = std::move(provenance);
  return model;
}

TEST(match_cost, is_the_largest_log_ratio_of_failures) {
  const NoisyOrNetwork a({{"X", .2}}, observed(six), {{0, 0, .1}, {0, 1, .4}, {0, 3, .8}});
  const NoisyOrNetwork b({{"U", .2}}, observed(six), {{0, 0, .2}, {0, 1, .1}, {0, 5, .5}});
  EXPECT_DOUBLE_EQ(match_cost(a, 0, b, 0), std::log(4));  // .4 against .1
  EXPECT_DOUBLE_EQ(match_cost(b, 0, a, 0), std::log(4));
  EXPECT_DOUBLE_EQ(match_cost(a, 0, a, 0), 0);
}

TEST(match_cost, counts_an_edge_that_only_one_has) {
  const NoisyOrNetwork a({{"X", .2}}, observed(six), {{0, 4, .05}});
  const NoisyOrNetwork none({{"U", .2}}, observed(six), {});
  EXPECT_NEAR(match_cost(a, 0, none, 0), std::log(20), 1e-12);
  EXPECT_NEAR(match_cost(none, 0, a, 0), std::log(20), 1e-12);
}

TEST(match_cost, floors_failures_of_zero) {
  const NoisyOrNetwork sure({{"X", .2}}, observed(six), {{0, 0, 0}});
  const NoisyOrNetwork surer({{"X", .2}}, observed(six), {{0, 0, 1e-9}});
  const NoisyOrNetwork none({{"U", .2}}, observed(six), {});
  EXPECT_DOUBLE_EQ(match_cost(sure, 0, surer, 0), 0);
  EXPECT_NEAR(match_cost(sure, 0, none, 0), std::log(1e6), 1e-9);
}

TEST(evaluate, finds_a_permuted_network_again) {
  const NoisyOrNetwork t = truth();
  std::vector<Edge> edges;
  for (const Edge& e : t.edges()) edges.push_back({(e.cause + 1) % 3, e.observed, e.failure});
  const Evaluation e =
      score_network(learned({{{"p", .2}, {"q", .25}, {"r", .2}}, observed(six, .03), edges}), t);
  EXPECT_EQ(e.recovered, 3U);
  EXPECT_EQ(e.causes[0].learned, 1);
  EXPECT_EQ(e.causes[1].learned, 2);
  EXPECT_EQ(e.causes[2].learned, 0);
  EXPECT_NEAR(e.causes[0].prior_error, .05, 1e-12);
  EXPECT_NEAR(e.mean_prior_error, .05 / 3, 1e-12);
  EXPECT_NEAR(e.max_leak_error, .02, 1e-12);
  EXPECT_EQ(e.max_failure_error, 0);
  EXPECT_EQ(e.edge_f1, 1);
  EXPECT_TRUE(e.extra.empty());
}

TEST(evaluate, matches_variables_by_name_in_any_order) {
  const NoisyOrNetwork t = truth();
  std::vector<Edge> edges;
  for (const Edge& e : t.edges()) edges.push_back({e.cause, 5 - e.observed, e.failure});
  const std::vector<std::string> reversed{"f", "e", "d", "c", "b", "a"};
  EXPECT_EQ(score_network(learned({t.causes(), observed(reversed), edges}), t).recovered, 3U);
}

TEST(evaluate, matches_by_position_when_any_name_differs) {
  const NoisyOrNetwork t = truth();
  const auto names = observed({"f", "e", "d", "c", "b", "other"});
  EXPECT_EQ(score_network(learned({t.causes(), names, t.edges()}), t).recovered, 3U);
}

TEST(align_observed, matches_by_position_when_a_name_is_repeated) {
  const NoisyOrNetwork a({}, observed({"b", "a", "a"}), {});
  EXPECT_EQ(align_observed(a, a), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(align_observed, gives_the_index_in_the_truth) {
  const NoisyOrNetwork a({}, observed({"b", "c", "a"}), {});
  const NoisyOrNetwork b({}, observed({"a", "b", "c"}), {});
  EXPECT_EQ(align_observed(a, b), (std::vector<std::size_t>{1, 2, 0}));
}

TEST(evaluate, counts_a_cause_up_to_a_factor_of_e) {
  const NoisyOrNetwork t({{"X", .2}}, observed({"a", "b"}), {{0, 0, .1}, {0, 1, .1}});
  const auto with_failure = [&](double f) {
    return score_network(learned({{{"U", .2}}, t.observed(), {{0, 0, f}, {0, 1, .1}}}), t).recovered;
  };
  EXPECT_EQ(with_failure(.1 * 2.718), 1U);
  EXPECT_EQ(with_failure(.1 * 2.719), 0U);
  EXPECT_EQ(with_failure(.1 / 2.719), 0U);
}

TEST(evaluate, does_not_count_a_learned_prior_below_two_percent) {
  const NoisyOrNetwork t = truth();
  const auto recovered_with = [&](double prior) {
    return score_network(learned({{{"U", prior}, {"V", .2}, {"W", .2}}, t.observed(), t.edges()}), t)
        .recovered;
  };
  EXPECT_EQ(recovered_with(.02), 3U);
  EXPECT_EQ(recovered_with(.0199), 2U);
}

TEST(evaluate, takes_another_limit_of_the_prior) {
  const NoisyOrNetwork t = truth();
  const LearnedModel rare =
      learned({{{"U", .001}, {"V", .2}, {"W", .05}}, t.observed(), t.edges()});
  EXPECT_EQ(score_network(rare, t, 0).recovered, 3U);
  EXPECT_EQ(score_network(rare, t, .001).recovered, 3U);
  EXPECT_EQ(score_network(rare, t, .1).recovered, 1U);
  EXPECT_EQ(score_network(rare, t, .1).min_prior, .1);
}

TEST(evaluate, prefers_a_present_cause_to_a_faint_duplicate) {
  const NoisyOrNetwork t({{"X", .2}}, observed({"a", "b"}), {{0, 0, .1}, {0, 1, .1}});
  const NoisyOrNetwork two({{"faint", .001}, {"present", .2}}, t.observed(),
                           {{0, 0, .1}, {0, 1, .1}, {1, 0, .15}, {1, 1, .1}});
  const Evaluation e = score_network(learned(two), t);
  EXPECT_EQ(e.causes[0].learned, 1);
  EXPECT_EQ(e.recovered, 1U);
  EXPECT_EQ(e.extra, (std::vector<std::size_t>{0}));
}

TEST(evaluate, a_hopeless_pair_does_not_spoil_a_good_one) {
  // log f of the one variable: V -11, X -6, U -5.1, Y -.1. U is X within .9. Unclipped, the swap
  // (Y,U) + (X,V) = 5 + 5 would be cheaper than (X,U) + (Y,V) = .9 + 10.9.
  const NoisyOrNetwork t({{"X", .2}, {"Y", .2}}, observed({"a"}),
                         {{0, 0, std::exp(-6)}, {1, 0, std::exp(-.1)}});
  const NoisyOrNetwork l({{"V", .2}, {"U", .2}}, t.observed(),
                         {{0, 0, std::exp(-11)}, {1, 0, std::exp(-5.1)}});
  const Evaluation e = score_network(learned(l), t);
  EXPECT_EQ(e.causes[0].learned, 1);
  EXPECT_TRUE(e.causes[0].recovered);
  EXPECT_EQ(e.causes[1].learned, 0);
  EXPECT_FALSE(e.causes[1].recovered);
  EXPECT_NEAR(e.causes[1].cost, 10.9, 1e-9);  // reported as it is, not clipped
  EXPECT_EQ(e.extra, (std::vector<std::size_t>{0}));
}

TEST(evaluate, pairs_missed_causes_with_the_nearest_left_over) {
  // Neither is recovered (one edge is missing: log 10), but each shares children with one only.
  const NoisyOrNetwork t({{"X", .2}, {"Y", .2}}, observed(six),
                         {{0, 0, .1}, {0, 1, .1}, {0, 2, .1}, {1, 3, .1}, {1, 4, .1}, {1, 5, .1}});
  const NoisyOrNetwork l({{"likeY", .2}, {"likeX", .2}}, t.observed(),
                         {{0, 3, .1}, {0, 4, .1}, {1, 1, .1}, {1, 2, .1}});
  const Evaluation e = score_network(learned(l), t);
  EXPECT_EQ(e.recovered, 0U);
  EXPECT_EQ(e.causes[0].learned, 1);
  EXPECT_EQ(e.causes[1].learned, 0);
  EXPECT_EQ(e.extra, (std::vector<std::size_t>{0, 1}));
  EXPECT_DOUBLE_EQ(e.edge_precision, 1);     // 4 of 4
  EXPECT_DOUBLE_EQ(e.edge_recall, 4.0 / 6);  // 4 of 6
  EXPECT_DOUBLE_EQ(e.edge_f1, 2 * 4.0 / (4 + 6));
}

TEST(evaluate, takes_fewer_learned_causes_than_true_ones) {
  const NoisyOrNetwork t = truth();
  const NoisyOrNetwork l({{"U", .2}}, t.observed(), {{0, 2, .1}, {0, 3, .1}, {0, 4, .12}});
  const Evaluation e = score_network(learned(l), t);
  EXPECT_EQ(e.n_true, 3U);
  EXPECT_EQ(e.n_learned, 1U);
  EXPECT_EQ(e.recovered, 1U);
  EXPECT_EQ(e.causes[0].learned, -1);
  EXPECT_EQ(e.causes[1].learned, 0);
  EXPECT_EQ(e.causes[2].learned, -1);
  EXPECT_NEAR(e.max_failure_error, .02, 1e-12);
  EXPECT_DOUBLE_EQ(e.edge_recall, 3.0 / 9);
}

TEST(evaluate, names_the_extra_of_more_learned_causes) {
  const NoisyOrNetwork t({{"X", .2}}, observed(six), {{0, 0, .1}, {0, 1, .1}});
  const NoisyOrNetwork l({{"U", .2}, {"V", .2}, {"W", .2}}, t.observed(),
                         {{0, 4, .1}, {0, 5, .1}, {1, 0, .1}, {1, 1, .1}, {2, 2, .1}, {2, 3, .95}});
  const Evaluation e = score_network(learned(l), t);
  EXPECT_EQ(e.recovered, 1U);
  EXPECT_EQ(e.extra, (std::vector<std::size_t>{0, 2}));
  EXPECT_DOUBLE_EQ(e.edge_precision, 2.0 / 5);  // the edge of strength .05 does not count
  EXPECT_DOUBLE_EQ(e.edge_recall, 1);
}

TEST(evaluate, takes_networks_without_causes) {
  const NoisyOrNetwork none({}, observed(six, .3), {});
  const Evaluation nothing_learned = score_network(learned(none), truth());
  EXPECT_EQ(nothing_learned.recovered, 0U);
  EXPECT_EQ(nothing_learned.causes.size(), 3U);
  EXPECT_EQ(nothing_learned.edge_precision, 0);
  EXPECT_NEAR(nothing_learned.max_leak_error, .29, 1e-12);
  const Evaluation nothing_there = score_network(learned(truth()), none);
  EXPECT_EQ(nothing_there.extra.size(), 3U);
  EXPECT_EQ(nothing_there.edge_recall, 0);
}

TEST(evaluate, counts_causes_by_depth) {
  std::vector<Provenance> from(3);
  from[0].depth = 2;
  from[1].depth = 0;
  from[2].depth = -1;
  const Evaluation e = score_network(learned(truth(), from), truth());
  EXPECT_EQ(e.learned_at_depth, (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_TRUE(score_network(learned(truth()), truth()).learned_at_depth.empty());
}

TEST(evaluate, refuses_a_depth_beyond_any_search) {
  std::vector<Provenance> from(3);
  from[1].depth = 2'000'000'000;
  EXPECT_THROW(score_network(learned(truth(), from), truth()), orrery::InputError);
}

TEST(evaluate, refuses_different_numbers_of_variables) {
  const NoisyOrNetwork other({}, observed({"a", "b"}), {});
  try {
    score_network(learned(other), truth());
    FAIL() << "no error";
  } catch (const orrery::InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(" 2 observed"), std::string::npos) << message;
    EXPECT_NE(message.find(" 6"), std::string::npos) << message;
  }
}

}  // namespace
