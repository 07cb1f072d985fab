// Noise rates of an anchor from the ends of a ranking of the rows (mutually irreducible classes).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "families/noisy_or/anchored/noise/classifier_rates.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/rows.hpp"
#include "orrery/base/error.hpp"

namespace {

using namespace orrery;
using anchored::Alone;
using anchored::is_present;
using anchored::NoiseRates;
using anchored::Observations;
using anchored::TopGroup;
using anchored::uniform;

// ----------------------------------------------------------- the group, against the obvious search

double lower_limit(const std::vector<bool>& is_on, std::size_t n) {
  double on = 0;
  for (std::size_t i = 0; i < n; ++i) on += is_on[i] ? 1 : 0;
  const auto rows = static_cast<double>(n);
  // The p below `share` with share - p = 3 sqrt(p (1 - p) / n), by bisection.
  double low = 0;
  double high = on / rows;
  for (int step = 0; step < 100; ++step) {
    const double p = (low + high) / 2;
    (on / rows - p > 3 * std::sqrt(p * (1 - p) / rows) ? low : high) = p;
  }
  return low;
}

TEST(TopGroupTest, is_the_best_of_all_doubled_groups_of_every_short_sequence) {
  for (std::size_t length = 0; length <= 12; ++length) {
    for (unsigned bits = 0; bits < 1U << length; ++bits) {
      std::vector<bool> is_on;
      for (std::size_t i = 0; i < length; ++i) is_on.push_back((bits >> i & 1U) != 0);
      std::size_t best = 0;
      for (const std::size_t n : {2U, 4U, 8U}) {
        if (n > length) continue;
        // 1e-9: equal but for rounding.
        if (best == 0 || lower_limit(is_on, n) >= lower_limit(is_on, best) - 1e-9) best = n;
      }
      const TopGroup found = anchored::surest_top_group(is_on, 2);
      ASSERT_EQ(found.n_rows, best) << length << ' ' << bits;
      if (best == 0) continue;
      double on = 0;
      for (std::size_t i = 0; i < best; ++i) on += is_on[i] ? 1 : 0;
      ASSERT_DOUBLE_EQ(found.share, on / static_cast<double>(best));
    }
  }
}

// ------------------------------------------------------------- the identity, every cell enumerated

/// Y with P(Y = 1) = 0.3 and three children c: P(c = 1 | Y = 0) and P(c = 1 | Y = 1).
using Child = std::array<double, 2>;

/// min and max over x of P(A = 1 | x), by all states of the three children.
std::array<double, 2> range_of(const std::array<Child, 3>& children, const Child& anchor) {
  std::array<double, 2> range{1, 0};
  for (unsigned x = 0; x < 8; ++x) {
    std::array<double, 2> joint{.7, .3};
    for (unsigned y = 0; y < 2; ++y) {
      for (unsigned c = 0; c < 3; ++c) {
        joint[y] *= (x >> c & 1U) != 0 ? children[c][y] : 1 - children[c][y];
      }
    }
    if (joint[0] + joint[1] == 0) continue;
    const double on = (joint[0] * anchor[0] + joint[1] * anchor[1]) / (joint[0] + joint[1]);
    range = {std::min(range[0], on), std::max(range[1], on)};
  }
  return range;
}

TEST(IrreducibleTest, range_is_the_rates_where_children_leave_no_doubt_and_narrower_elsewhere) {
  const Child anchor{.1, .8};
  // The first is never on without the cause; the second never off with it.
  const auto sure = range_of({{{0, .4}, {.5, 1}, {.2, .6}}}, anchor);
  EXPECT_NEAR(sure[0], .1, 1e-15);
  EXPECT_NEAR(sure[1], .8, 1e-15);
  const auto doubtful = range_of({{{.1, .4}, {.5, .9}, {.2, .6}}}, anchor);
  EXPECT_GT(doubtful[0], .1 + .01);
  EXPECT_LT(doubtful[1], .8 - .01);
}

// ------------------------------------------------------------------------------- rates from rows

bool sign(std::size_t row, std::size_t column, const Child& rates) {
  return uniform(row, 1 + column) < rates[is_present(row) ? 1 : 0];
}

NoiseRates irreducible_rates_of(const Observations& observed) {
  Alone alone;
  anchored::Options options;
  options.mutually_irreducible = true;
  return anchored::find_noise_rates(alone.workers(), observed, options);
}

/// c0 is the anchor, and three children.
Observations rows_of(const std::array<Child, 3>& children, const Child& anchor, std::size_t n) {
  return anchored::observe_rows(4, 1, n, [=](std::size_t r, std::size_t c) {
    return sign(r, c, c == 0 ? anchor : children[c - 1]);
  });
}

TEST(IrreducibleTest, rates_are_found_where_some_rows_leave_no_doubt) {
  const Observations observed = rows_of({{{0, .6}, {.5, 1}, {.2, .6}}}, {.1, .8}, 20'000);
  const NoiseRates noise = irreducible_rates_of(observed);
  EXPECT_EQ(noise.rates[0].source, "mutually irreducible");
  // Without doubt are .3 .6 = 18 % and .7 .5 = 35 % of the rows, of which a group is half at least:
  // errors of sqrt(.16 / 1800) = .0095 and sqrt(.09 / 3500) = .005. Four of them.
  EXPECT_NEAR(noise.rates[0].on, .8, .038);
  EXPECT_NEAR(noise.rates[0].off, .1, .02);
  EXPECT_LT(noise.rates[0].on_error, .012);
  EXPECT_GT(noise.rates[0].on_error, 0);
  EXPECT_LT(noise.rates[0].off_error, .008);
  for (const auto& view : noise.views) EXPECT_EQ(view[0][1], noise.rates[0].on);
}

TEST(IrreducibleTest, rates_come_out_too_close_together_where_all_rows_are_in_doubt) {
  const Observations observed = rows_of({{{.1, .4}, {.5, .9}, {.2, .6}}}, {.1, .8}, 20'000);
  const NoiseRates noise = irreducible_rates_of(observed);
  EXPECT_GT(noise.rates[0].off, .1);
  EXPECT_LT(noise.rates[0].on, .8 - .038);
}

/// The anchor alone is `on`'s; one column that ranks the rows is on in the first `n_first` of them.
Observations first_rows(std::size_t n_first, std::size_t n,
                        const std::function<bool(std::size_t)>& on) {
  return anchored::observe_rows(2, 1, n, [=](std::size_t r, std::size_t c) {
    return c == 0 ? on(r) : r % (n / n_first) == 0;
  });
}

TEST(IrreducibleTest, share_that_does_not_level_off_is_refused) {
  // The 32 rows with the column have the anchor, of the others every second.
  const Observations rising =
      first_rows(32, 3'200, [](std::size_t r) { return r % 100 == 0 || r % 2 == 1; });
  try {
    (void)irreducible_rates_of(rising);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("does not level off"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("anchor 'c0' of 'y'"), std::string::npos);
  }
}

TEST(IrreducibleTest, fewer_rows_than_a_group_are_refused) {
  const Observations few = first_rows(10, 30, [](std::size_t r) { return r % 2 == 0; });
  EXPECT_THROW((void)irreducible_rates_of(few), InputError);
}

}  // namespace
