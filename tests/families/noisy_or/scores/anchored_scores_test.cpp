#include "families/noisy_or/scores/anchored_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseNetwork;
using model::LearnedModel;
using model::NoisyOrNetwork;
using ArrowEnds = std::vector<AnchoredScores::Ends>;

/// a -> b, c apart; P(a) = .5, P(b) = .4, P(c) = .2. Anchors x0 x1 x2; x3 is of a and c.
NoisyOrNetwork truth() {
  return {NoisyOrNetwork({{"a", .5}, {"b", .4}, {"c", .2}},
                         {{"x0", .1}, {"x1", .1}, {"x2", .1}, {"x3", .05}},
                         {{0, 0, .2}, {1, 1, .2}, {2, 2, .2}, {0, 3, .5}, {2, 3, .25}}),
          CauseNetwork({{{}, {.5}}, {{0}, {.2, .6}}, {{}, {.2}}}),
          {{0, 0}, {1, 1}, {2, 2}}};
}

/// The same causes as c a b: a -> b is found the other way round, b -> c is wrong. Of x3 the edge
/// from c is missing; one from b is extra.
LearnedModel learned(const std::vector<std::string>& names = {"c", "a", "b"}) {
  LearnedModel found;
  // P(b) = .4; P(a) = .6 .375 + .4 .75 = .525; P(c) = .6 .1 + .4 .3 = .18.
  found.network = {NoisyOrNetwork({{names[0], .18}, {names[1], .525}, {names[2], .4}},
                                  {{"x3", .07}, {"x2", .1}, {"x1", .1}, {"x0", .1}},
                                  {{1, 3, .25}, {2, 2, .2}, {0, 1, .2}, {1, 0, .4}, {2, 0, .875}}),
                   CauseNetwork({{{2}, {.1, .3}}, {{2}, {.375, .75}}, {{}, {.4}}}),
                   {{0, 1}, {1, 3}, {2, 2}}};
  return found;
}

TEST(AnchoredScores, edges_are_compared_without_directions) {
  const AnchoredScores scores = score_anchored(learned(), truth());
  EXPECT_TRUE(scores.by_name);
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(scores.n_true_edges, 1U);
  EXPECT_EQ(scores.n_learned_edges, 2U);
  EXPECT_EQ(scores.n_common_edges, 1U);
  EXPECT_EQ(scores.missing, ArrowEnds{});
  EXPECT_EQ(scores.wrong, (ArrowEnds{{0, 2}}));
  EXPECT_DOUBLE_EQ(scores.precision, .5);
  EXPECT_DOUBLE_EQ(scores.recall, 1);
  EXPECT_DOUBLE_EQ(scores.f1, 2. / 3);
}

TEST(AnchoredScores, loadings_leaks_and_priors_are_compared) {
  const AnchoredScores scores = score_anchored(learned(), truth());
  EXPECT_EQ(scores.n_observed, 4U);
  // True edges: anchors are off by .05 0 0; a -> x3 by .1; c -> x3 is not there: off by .75.
  EXPECT_EQ(scores.n_true_loadings, 5U);
  EXPECT_NEAR(scores.median_failure_error, .05, 1e-12);
  EXPECT_NEAR(scores.mean_failure_error, .9 / 5, 1e-12);
  EXPECT_NEAR(scores.max_failure_error, .75, 1e-12);
  EXPECT_EQ(scores.n_extra_loadings, 1U);
  EXPECT_NEAR(scores.mean_extra_strength, .125, 1e-12);
  EXPECT_NEAR(scores.mean_leak_error, .02 / 4, 1e-12);
  EXPECT_NEAR(scores.max_leak_error, .02, 1e-12);
  EXPECT_NEAR(scores.mean_prior_error, (.025 + 0 + .02) / 3, 1e-12);
  EXPECT_NEAR(scores.max_prior_error, .025, 1e-12);
}

TEST(AnchoredScores, causes_of_other_names_are_matched_by_their_loadings) {
  const AnchoredScores named = score_anchored(learned(), truth());
  const AnchoredScores scores = score_anchored(learned({"u", "v", "w"}), truth());
  EXPECT_FALSE(scores.by_name);
  EXPECT_EQ(scores.partner, named.partner);
  EXPECT_EQ(scores.f1, named.f1);
  EXPECT_EQ(scores.kl_from_truth, named.kl_from_truth);
}

TEST(AnchoredScores, the_truth_itself_is_without_error) {
  LearnedModel same;
  same.network = truth();
  const AnchoredScores scores = score_anchored(same, truth());
  EXPECT_EQ(scores.f1, 1);
  EXPECT_EQ(scores.kl_from_truth, 0);
  EXPECT_EQ(scores.max_failure_error, 0);
  EXPECT_EQ(scores.n_extra_loadings, 0U);
  EXPECT_EQ(scores.max_leak_error, 0);
  EXPECT_EQ(scores.max_prior_error, 0);
  EXPECT_EQ(scores.n_with_error, 0U);
}

TEST(AnchoredScores, intervals_are_counted) {
  LearnedModel found = learned();
  // Edges by (cause, observed): c x2, a x3, a x0, b x3, b x1; off by 0 .1 .05 .125 0.
  found.errors.failure = {.01, .06, .02, .01, std::nan("")};
  found.errors.prior = {.01, .01, .01};      // off by .02 .025 0
  found.errors.leak = {.02, .01, .01, .01};  // off by .02 0 0 0
  const AnchoredScores scores = score_anchored(found, truth());
  EXPECT_EQ(scores.n_with_error, 4U + 3 + 4);
  EXPECT_EQ(scores.n_covered, 2U + 1 + 4);
}

TEST(AnchoredScores, a_cause_that_was_not_learned_has_no_partner) {
  LearnedModel few;
  few.network = {NoisyOrNetwork({{"u", .4}}, {{"x1", .1}, {"x9", .1}}, {{0, 0, .2}}),
                 CauseNetwork::independent(std::vector{.4}),
                 {{0, 0}}};
  const AnchoredScores scores = score_anchored(few, truth());
  EXPECT_EQ(scores.partner, (std::vector<std::int64_t>{-1, 0, -1}));
  EXPECT_EQ(scores.n_observed, 1U);
  EXPECT_EQ(scores.missing, (ArrowEnds{{0, 1}}));
  EXPECT_FALSE(scores.kl_from_truth.has_value());
  EXPECT_EQ(scores.recall, 0);
  EXPECT_EQ(scores.max_failure_error, 0);
}

TEST(AnchoredScores, a_network_of_other_variables_is_refused) {
  LearnedModel other;
  other.network = {NoisyOrNetwork({{"a", .4}}, {{"z", .1}}, {{0, 0, .2}}),
                   CauseNetwork::independent(std::vector{.4}),
                   {{0, 0}}};
  EXPECT_THROW((void)score_anchored(other, truth()), InputError);
}

}  // namespace
}  // namespace orrery::noisy_or
