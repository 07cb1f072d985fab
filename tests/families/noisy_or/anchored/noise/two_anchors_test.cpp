// Noise of two anchors of one cause: the closed form, and by all third views of a network.
#include "families/noisy_or/anchored/noise/two_anchors.hpp"

#include <gtest/gtest.h>

#include "orrery/model/learned_model.hpp"

namespace {

using namespace orrery;
using anchored::PairRates;
using anchored::ViewMoments;

/// Of a cause with P(present) = pi: P(on | absent), P(on | present) of each.
ViewMoments mixture(double pi, const PairRates& w, double x_off, double x_on) {
  const auto mean = [&](double off, double on) { return (1 - pi) * off + pi * on; };
  return {mean(w[0], w[1]),
          mean(w[2], w[3]),
          mean(x_off, x_on),
          mean(w[0] * w[2], w[1] * w[3]),
          mean(w[0] * x_off, w[1] * x_on),
          mean(w[2] * x_off, w[3] * x_on),
          mean(w[0] * w[2] * x_off, w[1] * w[3] * x_on)};
}

void expect_near(const PairRates& found, const PairRates& truth, double tolerance) {
  for (std::size_t r = 0; r < truth.size(); ++r) EXPECT_NEAR(found[r], truth[r], tolerance) << r;
}

TEST(TwoAnchorsTest, mixture_of_two_products_is_taken_apart) {
  const PairRates truth{.05, .7, .1, .6};
  for (const double pi : {.1, .5, .8}) {
    const auto found = anchored::decompose(mixture(pi, truth, .2, .9));
    ASSERT_TRUE(found);
    expect_near(*found, truth, 1e-12);
  }
}

TEST(TwoAnchorsTest, third_view_may_be_off_where_the_cause_is_present) {
  const PairRates truth{.05, .7, .1, .6};
  const auto found = anchored::decompose(mixture(.3, truth, .8, .1));
  ASSERT_TRUE(found);
  expect_near(*found, truth, 1e-12);
}

TEST(TwoAnchorsTest, signs_that_no_cause_gives_are_no_mixture) {
  EXPECT_FALSE(anchored::decompose(mixture(.3, {.7, .05, .1, .6}, .2, .9)));  // W1 is reversed
  EXPECT_FALSE(anchored::decompose(mixture(.3, {.1, .7, .1, .6}, .5, .5)));   // X is independent
}

TEST(TwoAnchorsTest, every_third_view_of_a_network_tells_the_same) {
  // y0 -> y1; a and b hang from y0 alone, c from y1, d from both.
  const model::CauseNetwork causes({{{}, {.3}}, {{0}, {.2, .6}}});
  const model::NoisyOrNetwork loadings(
      {{"y0", .3}, {"y1", .32}}, {{"a", .05}, {"b", .1}, {"c", .02}, {"d", .1}},
      {{0, 0, .3}, {0, 1, .5}, {1, 2, .4}, {0, 3, .7}, {1, 3, .6}});
  const model::NoisyOrNetwork network(loadings, causes, {{0, 0, {}}, {0, 1, {}}, {1, 2, {}}});
  anchored::Observations observed;
  observed.names = {"a", "b", "c", "d"};
  observed.exact = &network;
  const auto found = anchored::estimate_two_anchors(observed, 0, 1);
  EXPECT_EQ(found.n_third_views, 2);
  ASSERT_EQ(found.rates.size(), 1);
  expect_near(found.rates[0], {.05, 1 - .95 * .3, .1, 1 - .9 * .5}, 1e-9);
}

}  // namespace
