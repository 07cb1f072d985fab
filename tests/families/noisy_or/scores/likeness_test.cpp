#include "families/noisy_or/scores/likeness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "families/noisy_or/scores/match.hpp"

namespace {

using orrery::model::Cause;
using orrery::model::Edge;
using orrery::model::NoisyOrNetwork;
using orrery::model::Observed;
using orrery::noisy_or::compare_strengths;
using orrery::noisy_or::Likeness;
using orrery::noisy_or::Share;
using orrery::noisy_or::TrueLikeness;

std::vector<Observed> variables(std::size_t m) {
  std::vector<Observed> result;
  for (std::size_t a = 0; a < m; ++a) result.push_back({std::to_string(a), .01});
  return result;
}

// By hand. X and its twin Y differ in one child; Z is apart; W is not learned at all.
//         x0  x1  x2  x3  x4  x5   prior            1 - f
//   X     .8  .8  .2   -   -   -   .004
//   Y     .8  .8   -  .2   -   -   .0004
//   Z      -   -   -   -  .5  .5   .1
//   W      -   -   -   -   -  .05  .0015
// Learned:
//   u      -   -   -   -  .5  .7   .15     Z: .7 for .5, prior within 2: strict
//   v     .8  .8  .2  .15  -   -   .009    X: prior off by 2.25: matched only; x3 is not X's
//   w      -   -  .3   -  .9   -   .003    none: nearest is Z, which has x4 but not x2
NoisyOrNetwork twins() {
  return {{{"X", .004}, {"Y", .0004}, {"Z", .1}, {"W", .0015}},
          variables(6),
          {{0, 0, .2},
           {0, 1, .2},
           {0, 2, .8},
           {1, 0, .2},
           {1, 1, .2},
           {1, 3, .8},
           {2, 4, .5},
           {2, 5, .5},
           {3, 5, .95}}};
}
NoisyOrNetwork learned() {
  return {{{"u", .15}, {"v", .009}, {"w", .003}},
          variables(6),
          {{0, 4, .5},
           {0, 5, .3},
           {1, 0, .2},
           {1, 1, .2},
           {1, 2, .8},
           {1, 3, .85},
           {2, 2, .7},
           {2, 4, .1}}};
}

TEST(compare_strengths, agrees_with_an_example_by_hand) {
  const Likeness result = compare_strengths(learned(), twins());
  EXPECT_EQ(result.matched, 2U);
  EXPECT_EQ(result.strict, 1U);
  EXPECT_EQ(result.extra, 1U);
  EXPECT_EQ(result.truth[0].match, 1);
  // X.v = .64 + .64 + .04 = 1.32; |X|^2 = 1.32; |v|^2 = 1.3425.
  EXPECT_NEAR(result.truth[0].cosine, 1.32 / std::sqrt(1.32 * 1.3425), 1e-12);
  EXPECT_FALSE(result.truth[0].strict);
  EXPECT_EQ(result.truth[1].match, -1);
  EXPECT_EQ(result.truth[1].learned.cause, 1);  // v is alike, but another's match
  EXPECT_NEAR(result.truth[1].learned.cosine, 1.31 / std::sqrt(1.32 * 1.3425), 1e-12);
  EXPECT_EQ(result.truth[1].twin.cause, 0);
  EXPECT_NEAR(result.truth[1].twin.cosine, 1.28 / 1.32, 1e-12);
  EXPECT_TRUE(result.truth[2].strict);
  EXPECT_EQ(result.truth[3].match, -1);
  EXPECT_EQ(result.truth[3].learned.cause, 0);
  EXPECT_NEAR(result.truth[3].learned.cosine, .7 / std::sqrt(.74), 1e-12);
  EXPECT_EQ(result.learned[2].match, -1);
  EXPECT_EQ(result.learned[2].truth.cause, 2);
  EXPECT_NEAR(result.learned[2].truth.cosine, .45 / std::sqrt(.5 * .9), 1e-12);
}

TEST(compare_strengths, counts_edges_by_strength_and_causes_by_prior) {
  const Likeness result = compare_strengths(learned(), twins());
  EXPECT_EQ(result.learned[0].precision, (Share{2, 2}));
  EXPECT_EQ(result.learned[1].precision, (Share{3, 4}));
  EXPECT_EQ(result.learned[2].precision, (Share{1, 2}));
  EXPECT_EQ(result.least_precision, .5);
  EXPECT_EQ(result.imprecise, 2U);
  ASSERT_EQ(result.by_strength.size(), 5U);
  const std::vector<Share> precision{{0, 0}, {1, 3}, {1, 1}, {3, 3}, {0, 0}};
  const std::vector<Share> recall{{0, 1}, {1, 2}, {2, 2}, {2, 4}, {0, 0}};
  for (std::size_t i = 0; i < 5; ++i) {
    // learned: .15 .2 .3 | .5 | .7 .8 .8 | .9; true: .05 | .2 .2 | .5 .5 | .8 four times.
    EXPECT_EQ(result.by_strength[i].recall, recall[i]) << i;
    if (i < 3) {
      EXPECT_EQ(result.by_strength[i].precision, precision[i]) << i;
    }
  }
  const Share high = result.by_strength[3].precision;
  const Share highest = result.by_strength[4].precision;
  EXPECT_EQ(high.hits + highest.hits, 4U);  // 1 - .1 lies on the bound
  EXPECT_EQ(high.total + highest.total, 4U);
  ASSERT_EQ(result.by_prior.size(), 7U);
  EXPECT_EQ(result.by_prior[0].n_true, 1U);  // Y
  EXPECT_EQ(result.by_prior[0].matched, 0U);
  EXPECT_EQ(result.by_prior[0].recall, (Share{0, 3}));
  EXPECT_EQ(result.by_prior[2].n_true, 1U);             // W
  EXPECT_EQ(result.by_prior[2].recall, (Share{0, 0}));  // its edge is too faint
  EXPECT_EQ(result.by_prior[3].matched, 1U);            // X
  EXPECT_EQ(result.by_prior[3].extra, 1U);              // w
  EXPECT_EQ(result.by_prior[3].precision, (Share{1, 2}));
  EXPECT_EQ(result.by_prior[4].n_learned, 1U);  // v
  EXPECT_EQ(result.by_prior[4].precision, (Share{3, 4}));
  EXPECT_EQ(result.by_prior[6].strict, 1U);  // Z and u
}

TEST(compare_strengths, knows_no_least_prior) {
  const NoisyOrNetwork rare({{"X", 1e-5}}, variables(2), {{0, 0, .1}, {0, 1, .1}});
  EXPECT_EQ(compare_strengths(rare, rare).strict, 1U);
}

TEST(compare_strengths, is_strict_up_to_the_factors) {
  const NoisyOrNetwork t({{"X", .2}}, variables(4),
                         {{0, 0, .1}, {0, 1, .1}, {0, 2, .7}, {0, 3, .95}});
  const auto strict = [&](double prior, double strength, double faint) {
    const std::vector<Edge> edges{{0, 0, .1}, {0, 1, .1}, {0, 2, 1 - strength}, {0, 3, 1 - faint}};
    const Likeness likeness = compare_strengths({{{"U", prior}}, variables(4), edges}, t);
    EXPECT_EQ(likeness.matched, 1U);
    return likeness.strict;
  };
  EXPECT_EQ(strict(.4, .3 * 2.718, .05), 1U);
  EXPECT_EQ(strict(.1, .3 / 2.718, .05), 1U);
  EXPECT_EQ(strict(.41, .3, .05), 0U);
  EXPECT_EQ(strict(.099, .3, .05), 0U);
  EXPECT_EQ(strict(.2, .3 * 2.719, .05), 0U);
  EXPECT_EQ(strict(.2, .3 / 2.719, .05), 0U);
  EXPECT_EQ(strict(.2, 0, .05), 0U);    // not learned
  EXPECT_EQ(strict(.2, .3, 1e-4), 1U);  // a faint true edge may be missed
}

TEST(compare_strengths, a_second_copy_is_extra) {
  const NoisyOrNetwork t({{"X", .2}}, variables(3), {{0, 0, .1}, {0, 1, .1}});
  const NoisyOrNetwork l({{"U", .2}, {"V", .2}}, variables(3),
                         {{0, 0, .1}, {0, 1, .1}, {0, 2, .8}, {1, 0, .1}, {1, 1, .1}});
  const Likeness result = compare_strengths(l, t);
  EXPECT_EQ(result.matched, 1U);
  EXPECT_EQ(result.extra, 1U);
  EXPECT_EQ(result.truth[0].match, 1);  // the larger cosine
  EXPECT_EQ(result.learned[0].truth.cause, 0);
}

TEST(compare_strengths, takes_networks_without_causes_or_edges) {
  const NoisyOrNetwork none({}, variables(6), {});
  EXPECT_EQ(compare_strengths(none, twins()).matched, 0U);
  EXPECT_EQ(compare_strengths(none, twins()).least_precision, 1);
  EXPECT_EQ(compare_strengths(learned(), none).extra, 3U);
  EXPECT_EQ(compare_strengths(learned(), none).imprecise, 3U);
  const NoisyOrNetwork bare({{"X", 0}, {"Y", 1}}, variables(6), {});
  const Likeness result = compare_strengths(bare, bare);
  EXPECT_EQ(result.matched, 0U);
  EXPECT_EQ(result.imprecise, 0U);
  EXPECT_EQ(result.truth[0].twin.cause, -1);
  EXPECT_EQ(result.by_prior.front().n_true, 1U);
  EXPECT_EQ(result.by_prior.back().n_true, 1U);
}

// The definition, word for word, on dense vectors.
double cosine(const NoisyOrNetwork& a, std::size_t i, const NoisyOrNetwork& b, std::size_t j) {
  double dot = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t x = 0; x < a.n_observed(); ++x) {
    const double s = 1 - a.failure(i, x);
    const double r = 1 - b.failure(j, x);
    dot += s * r;
    aa += s * s;
    bb += r * r;
  }
  return dot > 0 ? dot / std::sqrt(aa * bb) : 0;
}

bool is_strict(const NoisyOrNetwork& truth, std::size_t t, const NoisyOrNetwork& learned,
               std::size_t k) {
  const double ratio = learned.causes()[k].prior / truth.causes()[t].prior;
  if (ratio > 2 || ratio < .5) return false;
  for (std::size_t x = 0; x < truth.n_observed(); ++x) {
    const double f = truth.failure(t, x);
    const double g = learned.failure(k, x);
    const bool counts = 1 - f > .1;
    const double strengths = (1 - g) / (1 - f);
    if (counts && !(strengths > std::exp(-1.0) && strengths < std::exp(1.0))) return false;
  }
  return true;
}

/// Tries them all: the most pairs, and the largest sum of cosines of so many.
struct EveryMatching {
  EveryMatching(const NoisyOrNetwork& l, const NoisyOrNetwork& t)
      : learned(l), truth(t), used(l.n_causes(), false) {
    go_on(0, 0, 0);
  }
  void go_on(std::size_t t, std::size_t n, double total) {
    if (t == truth.n_causes()) {
      if (n > pairs || (n == pairs && total > sum)) {
        pairs = n;
        sum = total;
      }
      return;
    }
    go_on(t + 1, n, total);
    for (std::size_t k = 0; k < learned.n_causes(); ++k) {
      const double c = cosine(truth, t, learned, k);
      if (used[k] || c <= .9) continue;
      used[k] = true;
      go_on(t + 1, n + 1, total + c);
      used[k] = false;
    }
  }
  const NoisyOrNetwork& learned;
  const NoisyOrNetwork& truth;
  std::vector<bool> used;
  std::size_t pairs = 0;
  double sum = 0;
};

/// Some causes, and more of them that are noisy copies of those of `like`.
NoisyOrNetwork random_network(std::mt19937& draw, std::size_t n, const NoisyOrNetwork* like) {
  std::uniform_real_distribution<double> uniform;
  constexpr std::size_t m = 7;
  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::uint32_t k = 0; k < n; ++k) {
    causes.push_back({std::to_string(k), .001 + .3 * uniform(draw) * uniform(draw)});
    const bool copy = like != nullptr && uniform(draw) < .8;
    const auto from = copy ? static_cast<std::size_t>(draw() % like->n_causes()) : 0;
    if (copy) causes.back().prior = like->causes()[from].prior * (.4 + 1.4 * uniform(draw));
    for (std::uint32_t a = 0; a < m; ++a) {
      double strength = uniform(draw) < .5 ? uniform(draw) : 0;
      if (copy) {
        strength = (1 - like->failure(from, a)) * (.6 + .5 * uniform(draw));
        if (uniform(draw) < .1) strength = uniform(draw) * .4;
      }
      if (strength > 0) edges.push_back({k, a, 1 - std::min(strength, 1.0)});
    }
  }
  return {causes, variables(m), edges};
}

/// That each match is what the definition says of it.
void check_matches(const Likeness& result, const NoisyOrNetwork& l, const NoisyOrNetwork& t) {
  std::vector<bool> used(l.n_causes(), false);
  for (std::size_t u = 0; u < t.n_causes(); ++u) {
    double nearest = 0;
    for (std::size_t k = 0; k < l.n_causes(); ++k) {
      nearest = std::max(nearest, cosine(t, u, l, k));
    }
    ASSERT_EQ(result.truth[u].learned.cosine, nearest);
    if (result.truth[u].match < 0) continue;
    const auto k = static_cast<std::size_t>(result.truth[u].match);
    ASSERT_FALSE(used[k]);
    used[k] = true;
    ASSERT_EQ(result.learned[k].match, static_cast<std::int64_t>(u));
    ASSERT_GT(result.truth[u].cosine, .9);
    ASSERT_EQ(result.truth[u].cosine, cosine(t, u, l, k));
    ASSERT_EQ(result.truth[u].strict, is_strict(t, u, l, k));
    Share precision;
    for (std::size_t a = 0; a < t.n_observed(); ++a) {
      if (1 - l.failure(k, a) > .1) precision.count(t.failure(u, a) < 1);
    }
    ASSERT_EQ(result.learned[k].precision, precision);
  }
}

TEST(compare_strengths, is_the_dense_definition) {
  std::mt19937 draw(5);
  std::size_t matched = 0;
  std::size_t strict = 0;
  for (int round = 0; round < 300; ++round) {
    const NoisyOrNetwork source = random_network(draw, 3, nullptr);
    const NoisyOrNetwork t = random_network(draw, 2 + draw() % 4, &source);  // twins, too
    const NoisyOrNetwork l = random_network(draw, 1 + draw() % 6, &t);
    const Likeness result = compare_strengths(l, t);
    ASSERT_NO_FATAL_FAILURE(check_matches(result, l, t)) << round;
    const EveryMatching best(l, t);
    ASSERT_EQ(result.matched, best.pairs) << round;
    double sum = 0;
    std::size_t strict_here = 0;
    for (const TrueLikeness& cause : result.truth) {
      sum += cause.match < 0 ? 0 : cause.cosine;
      strict_here += cause.strict ? 1U : 0U;
    }
    ASSERT_NEAR(sum, best.sum, 1e-12) << round;  // equal sums: any of them
    ASSERT_EQ(result.strict, strict_here) << round;
    ASSERT_EQ(result.extra, l.n_causes() - best.pairs) << round;
    matched += result.matched;
    strict += result.strict;
  }
  EXPECT_GT(matched, 300U);  // the draws are worth it
  EXPECT_GT(strict, 50U);
  EXPECT_LT(strict, matched);
}

TEST(evaluate, says_both_criteria) {
  orrery::model::LearnedModel model;
  model.network = learned();
  const auto result = orrery::noisy_or::score_network(model, twins());
  EXPECT_EQ(result.recovered, 1U);  // u alone has a prior of .02
  EXPECT_EQ(result.likeness.matched, 2U);
}

TEST(evaluate, compares_strengths_of_variables_in_any_order) {
  std::vector<Observed> names = variables(6);
  std::reverse(names.begin(), names.end());
  const NoisyOrNetwork straight = learned();
  std::vector<Edge> edges = straight.edges();
  for (Edge& edge : edges) edge.observed = 5 - edge.observed;
  orrery::model::LearnedModel model;
  model.network = {straight.causes(), names, edges};
  EXPECT_EQ(orrery::noisy_or::score_network(model, twins()).likeness.matched, 2U);
}

}  // namespace
