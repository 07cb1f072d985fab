// Noise of anchors: from labels, from a classifier, from two anchors; and what contradicts it.
#include "families/noisy_or/anchored/noise/noise_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/noisy_or/anchored/noise/two_anchors.hpp"
#include "families/noisy_or/anchored/rows.hpp"
#include "orrery/base/error.hpp"

namespace {

using namespace orrery;
using anchored::Alone;
using anchored::is_present;
using anchored::NoiseRates;
using anchored::Observations;
using anchored::uniform;

NoiseRates rates_of(const Observations& observed, bool positive_only = false) {
  Alone alone;
  anchored::Options options;
  options.positive_only = positive_only;
  return anchored::find_noise_rates(alone.workers(), observed, options);
}

bool sign(std::size_t row, std::size_t column, double off, double on) {
  return uniform(row, 1 + column) < (is_present(row) ? on : off);
}

// ---------------------------------------------------------------------------------------- labels

/// In each 10 rows: the cause in 4, the anchor in 3 of those and in 1 of the 6 others; `n_labelled`
/// of them are labelled.
Observations labelled_rows(std::size_t n_labelled) {
  const std::size_t n_rows = 640;
  const auto cell = [](std::size_t r, std::size_t c) {
    return c == 0 ? r % 10 < 3 || r % 10 == 4 : r % 10 < 4;
  };
  Observations observed = anchored::observe_rows(2, 1, n_rows, cell);
  observed.labels = anchored::Labels{
      "labels.h5",
      anchored::panels(1, n_rows, [&](auto r, auto) { return r < n_labelled && r % 10 < 4; }),
      anchored::panels(1, n_rows, [&](auto r, auto) { return r < n_labelled; })};
  return observed;
}

TEST(LabelsTest, rates_are_shares_of_labelled_rows) {
  for (const std::size_t n_labelled : {640, 320, 130}) {
    const NoiseRates noise = rates_of(labelled_rows(n_labelled));
    EXPECT_EQ(noise.rates[0].source, "labels");
    EXPECT_DOUBLE_EQ(noise.rates[0].on, .75) << n_labelled;
    EXPECT_DOUBLE_EQ(noise.rates[0].off, 1. / 6) << n_labelled;
    EXPECT_GT(noise.rates[0].on_error, 0);
    EXPECT_GT(noise.rates[0].off_error, 0);
  }
}

TEST(LabelsTest, every_view_has_rates_where_one_group_has_all_labels) {
  const NoiseRates noise = rates_of(labelled_rows(40));
  EXPECT_DOUBLE_EQ(noise.rates[0].on, .75);
  for (const auto& view : noise.views) {
    EXPECT_TRUE(std::isfinite(view[0][0]) && std::isfinite(view[0][1]));
  }
}

TEST(LabelsTest, error_is_that_of_the_labelled_rows) {
  // sqrt(p q / n) with n the labelled rows of the kind, whose number is off by sqrt(.3 .7 / 10,000)
  // = .5 %, and p as much as the error itself: 5 % has room.
  const std::size_t n_rows = 20'000;
  Observations observed =
      anchored::observe_rows(2, 1, n_rows, [](auto r, auto c) { return sign(r, c, .1, .7); });
  observed.labels = anchored::Labels{
      "labels.h5",
      anchored::panels(1, n_rows, [](auto r, auto) { return r % 2 == 0 && is_present(r); }),
      anchored::panels(1, n_rows, [](auto r, auto) { return r % 2 == 0; })};
  const NoiseRates noise = rates_of(observed);
  const double off_error = std::sqrt(.1 * .9 / (.7 * 10'000));
  const double on_error = std::sqrt(.7 * .3 / (.3 * 10'000));
  EXPECT_NEAR(noise.rates[0].off, .1, 4 * off_error);
  EXPECT_NEAR(noise.rates[0].on, .7, 4 * on_error);
  EXPECT_NEAR(noise.rates[0].off_error, off_error, .05 * off_error);
  EXPECT_NEAR(noise.rates[0].on_error, on_error, .05 * on_error);
}

TEST(LabelsTest, rates_given_that_labels_contradict_are_refused) {
  Observations observed = labelled_rows(640);
  observed.given[0] = std::array{1. / 6, .75};
  EXPECT_EQ(rates_of(observed).rates[0].source, "given");
  observed.given[0] = std::array{1. / 6, .4};
  EXPECT_THROW((void)rates_of(observed), InputError);
  observed.given[0] = std::array{0., .75};  // never on without it, and the labels have that
  EXPECT_THROW((void)rates_of(observed), InputError);
}

TEST(LabelsTest, few_labels_side_by_side_do_not_contradict_what_is_near) {
  Observations observed = labelled_rows(40);  // .75 of 16, 1/6 of 24: errors of .1 and .08
  observed.given[0] = std::array{.1, .9};
  EXPECT_EQ(rates_of(observed).rates[0].source, "given");
}

TEST(LabelsTest, labels_without_the_cause_leave_the_noise_unknown) {
  Observations observed = labelled_rows(3);  // all of them have the cause
  EXPECT_THROW((void)rates_of(observed), InputError);
}

// --------------------------------------------------------------------------------- positive only

TEST(PositiveOnlyTest, rate_is_the_share_where_nothing_is_in_doubt) {
  // Two columns are the cause itself, in every other row; the anchor is on in 3 of 5 of those.
  const Observations observed = anchored::observe_rows(3, 1, 12'800, [](auto r, auto c) {
    const bool present = r % 2 == 0;
    return c == 0 ? present && r / 2 % 5 < 3 : present;
  });
  const NoiseRates noise = rates_of(observed, true);
  EXPECT_EQ(noise.rates[0].source, "positive only");
  EXPECT_EQ(noise.rates[0].off, 0);
  EXPECT_NEAR(noise.rates[0].on, .6, .005);  // the classifier's penalty pulls by O(1 / N)
}

TEST(PositiveOnlyTest, rate_is_found_through_noisy_views) {
  // Error of a share among 6,000 rows with the cause: sqrt(.24 / 6000) = .0063; four times that,
  // and a little doubt that eight views leave, which makes it smaller.
  const Observations observed = anchored::observe_rows(9, 1, 20'000, [](auto r, auto c) {
    return c == 0 ? sign(r, c, 0, .6) : sign(r, c, .05, .9);
  });
  const NoiseRates noise = rates_of(observed, true);
  EXPECT_GT(noise.rates[0].on, .6 - .025 - .01);
  EXPECT_LT(noise.rates[0].on, .6 + .025);
}

TEST(PositiveOnlyTest, anchor_that_is_hardly_ever_on_is_refused) {
  const Observations observed = anchored::observe_rows(
      3, 1, 12'800, [](auto r, auto c) { return c == 0 ? r < 15 : r % 2 == 0; });
  EXPECT_THROW((void)rates_of(observed, true), InputError);
}

// ---------------------------------------------------------------------------------- contradictions

/// Four columns that the cause alone explains; `last` is one more.
Observations signs_and(std::size_t n_anchors, const std::function<bool(std::size_t row)>& last) {
  return anchored::observe_rows(
      6, n_anchors, 20'000, [&](auto r, auto c) { return c == 5 ? last(r) : sign(r, c, .1, .8); });
}

std::vector<std::string> contradictions(Observations observed, std::array<double, 2> rates) {
  for (auto& given : observed.given) given = rates;
  Alone alone;
  return anchored::find_contradictions(alone.workers(), observed, rates_of(observed));
}

TEST(ContradictionTest, anchor_of_its_cause_alone_is_not_doubted) {
  const auto observed = signs_and(1, [](auto r) { return sign(r, 5, .05, .4); });
  EXPECT_TRUE(contradictions(observed, {.1, .8}).empty());
}

TEST(ContradictionTest, column_that_shares_an_anchors_noise_is_named) {
  // c5 is c0 itself: off with the anchor where the cause is absent too, which no P(y, x) gives.
  const auto observed = signs_and(1, [](auto r) { return sign(r, 0, .1, .8); });
  const auto remarks = contradictions(observed, {.1, .8});
  ASSERT_EQ(remarks.size(), 1);
  EXPECT_NE(remarks[0].find("anchor 'c0' of 'y'"), std::string::npos) << remarks[0];
  EXPECT_NE(remarks[0].find("'c5'"), std::string::npos) << remarks[0];
}

TEST(ContradictionTest, rates_that_are_too_weak_are_named) {
  // P(c0) = .31 is between .25 and .45, but c1, ... then go with the cause more than they can.
  const auto observed = signs_and(1, [](auto r) { return sign(r, 5, .01, .95); });
  EXPECT_FALSE(contradictions(observed, {.25, .45}).empty());
}

TEST(ContradictionTest, third_views_of_one_cause_agree_about_two_anchors) {
  const auto observed = signs_and(2, [](auto r) { return sign(r, 5, .05, .4); });
  const NoiseRates noise = rates_of(observed);
  EXPECT_TRUE(noise.remarks.empty());
  for (std::size_t anchor = 0; anchor < 2; ++anchor) {
    EXPECT_EQ(noise.rates[anchor].source, "two anchors");
    // Errors of the jackknife, checked to be small: four of them.
    EXPECT_LT(noise.rates[anchor].on_error, .02);
    EXPECT_LT(noise.rates[anchor].off_error, .02);
    EXPECT_NEAR(noise.rates[anchor].off, .1, 4 * noise.rates[anchor].off_error);
    EXPECT_NEAR(noise.rates[anchor].on, .8, 4 * noise.rates[anchor].on_error);
  }
}

TEST(ContradictionTest, exact_third_views_agree_unless_an_anchor_has_another_cause) {
  // u -> v; a, b, x hang from u alone, z from v, d from both.
  const model::CauseNetwork causes({{{}, {.3}}, {{0}, {.2, .6}}});
  const model::NoisyOrNetwork loadings(
      {{"u", .3}, {"v", .32}}, {{"a", .05}, {"b", .1}, {"x", .02}, {"z", .1}, {"d", .1}},
      {{0, 0, .3}, {0, 1, .5}, {0, 2, .4}, {1, 3, .6}, {0, 4, .7}, {1, 4, .6}});
  const model::NoisyOrNetwork network(loadings, causes, {{0, 0, {}}, {1, 3, {}}});
  Observations observed;
  observed.names = {"a", "b", "x", "z", "d"};
  observed.causes = {"u", "v"};
  observed.exact = &network;
  observed.given.resize(2);
  observed.anchors = {{0, 0, {}}, {0, 1, {}}};
  EXPECT_TRUE(rates_of(observed).remarks.empty());
  observed.anchors = {{0, 0, {}}, {0, 4, {}}};
  EXPECT_EQ(rates_of(observed).remarks.size(), 2);
}

TEST(ContradictionTest, third_view_with_another_cause_of_an_anchor_is_named) {
  // c5 goes with c0's noise beside the cause.
  const auto observed = signs_and(
      2, [](auto r) { return sign(r, 5, .05, .6) || (sign(r, 0, .1, .8) && uniform(r, 20) < .5); });
  const NoiseRates noise = rates_of(observed);
  ASSERT_FALSE(noise.remarks.empty());
  EXPECT_NE(noise.remarks[0].find("'c5'"), std::string::npos) << noise.remarks[0];
}

}  // namespace
