// Log cumulants, their standard errors, and the bar for pairs.
#include "families/noisy_or/quartet/calibrated/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <tuple>

#include "families/noisy_or/quartet/scan/round.hpp"
#include "kernels/logarithm.hpp"
#include "learning/planted.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

using learning::Sampled;
using learning::SampledInPart;

/// Two causes of four and three children among five variables.
model::NoisyOrNetwork small_network() {
  return {{{"u", .25}, {"v", .3}},
          {{"a", .02}, {"b", .05}, {"c", .1}, {"d", .03}, {"e", .04}},
          {{0, 0, .2}, {0, 1, .3}, {0, 2, .1}, {0, 3, .4}, {1, 2, .3}, {1, 3, .2}, {1, 4, .1}}};
}

moments::Subtraction no_causes(std::size_t m) { return moments::Subtraction(m); }

TEST(Logarithm, is_that_of_the_library_to_the_last_digits) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10'000; ++i) {
    const double x = std::exp(learning::planted::uniform(random, -40, 3));
    EXPECT_NEAR(kernels::logarithm(x), std::log(x), 2.3e-16 * std::max(1.0, std::abs(std::log(x))))
        << x;
  }
  EXPECT_EQ(kernels::logarithm(1.0), 0);
}

// Triples without a common cause, though pairs of them have one: z exceeds 1.645 in 5 %, give or
// take 4 sqrt(.05 .95 / 1000) = 2.8 %, 2.5 in .6 %.
TEST(Calibration, z_of_triples_without_a_common_cause_is_normal) {
  const auto network = small_network();
  constexpr int n_sets = 1000;
  for (const auto& [a, b, x] : {std::array<std::size_t, 3>{0, 2, 4}, {1, 3, 4}, {0, 1, 4}}) {
    int above = 0;
    int far_above = 0;
    for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
      const Sampled sampled(network, seed, 2000);
      const auto none = no_causes(5);
      const Calibration calibration(sampled.moments, none, .05);
      const double z = calibration.triple_z(a, b, x, sampled.moments.triple(a, b, x));
      above += z > 1.645 ? 1 : 0;
      far_above += z > 2.5 ? 1 : 0;
    }
    EXPECT_NEAR(above, .05 * n_sets, .028 * n_sets);
    EXPECT_LT(far_above, .02 * n_sets);
  }
}

TEST(Calibration, triples_with_a_common_cause_are_seen) {
  const auto network = small_network();
  const Sampled sampled(network, 1, 2000);
  const auto none = no_causes(5);
  const Calibration calibration(sampled.moments, none, .05);
  EXPECT_GT(calibration.triple_z(0, 1, 3, sampled.moments.triple(0, 1, 3)), 4);
  EXPECT_GT(calibration.triple_z(2, 3, 4, sampled.moments.triple(2, 3, 4)), 4);
}

// With the true causes subtracted nothing is left of them.
TEST(Calibration, true_causes_subtract_to_nothing) {
  const auto network = small_network();
  double squares = 0;
  constexpr int n_sets = 300;
  for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
    const Sampled sampled(network, seed, 4000);
    moments::Subtraction learned(5);
    for (std::size_t u = 0; u < 2; ++u) {
      learned.add(network.causes()[u].prior, network.dense_failures(u));
    }
    const Calibration calibration(sampled.moments, learned, .05);
    const double z = calibration.pair_z(2, 3);
    squares += z * z;
    EXPECT_LT(std::abs(z), 5);
  }
  EXPECT_NEAR(squares / n_sets, 1, .35);  // 4 sqrt(2 / 300), and Yates' correction
}

// Errors of the parameters make the same rest less significant.
TEST(Calibration, errors_of_learned_causes_widen_the_bars) {
  const auto network = small_network();
  const Sampled sampled(network, 5, 4000);
  const auto z_with = [&](double error) {
    moments::Subtraction learned(5);
    learned.add(.2, network.dense_failures(0), error, std::vector<double>(5, error));
    const Calibration calibration(sampled.moments, learned, .05);
    return std::array{calibration.pair_z(0, 1),
                      calibration.triple_z(0, 1, 2, sampled.moments.triple(0, 1, 2))};
  };
  const auto exact = z_with(0);
  const auto inexact = z_with(.05);
  EXPECT_GT(exact[0], 3);
  EXPECT_LT(inexact[0], .7 * exact[0]);
  EXPECT_GT(inexact[0], 0);
  EXPECT_LE(inexact[1], exact[1]);
}

/// Columns that nothing couples, off in 40 to 80 % of the rows.
model::NoisyOrNetwork independent_columns(std::size_t m) {
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < m; ++x) {
    observed.push_back({fmt::format("x{}", x), .2 + .4 * static_cast<double>(x) / 11});
  }
  return {{}, observed, {}};
}

struct Squares {
  double pairs = 0;    ///< mean square of z
  double triples = 0;  ///< twice that of its positive part: a negative one is told as 0
};

/// Over all pairs and triples of 12 independent columns and 40 sets of 20,000 rows.
Squares mean_squares(const std::function<SampledInPart(std::uint64_t seed)>& draw) {
  constexpr std::size_t m = 12;
  constexpr int n_sets = 40;
  Squares squares;
  const auto none = no_causes(m);
  for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
    const SampledInPart sampled = draw(seed);
    const Calibration calibration(*sampled.moments, none, .05);
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        squares.pairs += std::pow(calibration.pair_z(b, a), 2) / (66 * n_sets);
        for (std::size_t x = 0; x < b; ++x) {
          const double z = calibration.triple_z(x, b, a, sampled.moments->triple(x, b, a));
          squares.triples += 2 * z * z / (220 * n_sets);
        }
      }
    }
  }
  return squares;
}

// 4 sqrt(2 / 2640) = .11 for the pairs, less what Yates' correction takes (2 E|z| .5 / 9,800 over a
// standard deviation of .004: .02); 4 sqrt(5 / 8800) = .095 for the triples.
TEST(Calibration, z_of_independent_columns_is_normal_where_values_are_missing) {
  const Squares squares = mean_squares(
      [](std::uint64_t seed) { return SampledInPart(independent_columns(12), seed, 20'000, .3); });
  EXPECT_NEAR(squares.pairs, .98, .11);
  EXPECT_NEAR(squares.triples, 1, .095);
}

// Half of the rows miss nothing, the others 60 %: rows of three variables are more than their pairs
// tell (.532 N, not .569 N, which is 7 % of the largest term of the variance).
TEST(Calibration, z_is_nearly_so_where_rows_differ_in_what_they_miss) {
  const Squares squares = mean_squares([](std::uint64_t seed) {
    return SampledInPart(independent_columns(12), seed, 20'000,
                         [share = 0.0](RowRandom& random, std::size_t x) mutable {
                           if (x == 0) share = random.bernoulli(.5) ? 0 : .6;
                           return random.bernoulli(share);
                         });
  });
  EXPECT_NEAR(squares.pairs, .98, .11);
  EXPECT_NEAR(squares.triples, 1, .095 + .07);
}

// P(a false pair) <= alpha: over 400 data sets of 20 independent columns at most
// .05 x 400 + 3 sqrt(400 x .05 x .95) = 33 have one; of alpha .5 at least 100 have.
/// With the density, rows and share missing of each set.
class NullPairs : public testing::TestWithParam<std::tuple<double, std::size_t, double>> {};

TEST_P(NullPairs, are_found_in_a_share_alpha_of_the_runs_at_most) {
  const auto [density, n_rows, share] = GetParam();
  std::vector<model::Observed> observed;
  for (int x = 0; x < 20; ++x) observed.push_back({fmt::format("x{}", x), density});
  const model::NoisyOrNetwork network({}, observed, {});
  int strict = 0;
  int loose = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::optional<Sampled> whole;
    std::optional<SampledInPart> part;
    if (share > 0) {
      part.emplace(network, seed, n_rows, share);
    } else {
      whole.emplace(network, seed, n_rows);
    }
    const moments::MomentSource* source = part ? part->moments.get() : nullptr;
    if (whole) source = &whole->moments;
    const auto none = no_causes(20);
    const auto has_pair = [&](double alpha) {
      const SiblingGraph siblings{Calibration(*source, none, alpha)};
      for (std::size_t a = 0; a < 20; ++a) {
        if (siblings.n_later(a) > 0) return 1;
      }
      return 0;
    };
    strict += has_pair(.05);
    loose += has_pair(.9);
  }
  EXPECT_LE(strict, 33);
  EXPECT_GT(loose, strict);
}

INSTANTIATE_TEST_SUITE_P(
    Densities, NullPairs,
    testing::Values(std::tuple{.5, std::size_t{200}, 0.0}, std::tuple{.1, std::size_t{1000}, 0.0},
                    std::tuple{.01, std::size_t{1000}, 0.0},
                    std::tuple{.001, std::size_t{10'000}, 0.0},
                    std::tuple{.97, std::size_t{1000}, 0.0}, std::tuple{.5, std::size_t{400}, .3},
                    std::tuple{.1, std::size_t{1000}, .1}, std::tuple{.05, std::size_t{1000}, .3},
                    std::tuple{.97, std::size_t{1000}, .3}));

}  // namespace
}  // namespace orrery::quartet
