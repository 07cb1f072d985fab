// MIXTURE and the coherence test against Eq. (2) by a general eigenvalue solver; EXTEND against
// Lemma 2 and Eqs. (4) to (6) from the network's own probabilities.
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numeric>
#include <vector>

#include "families/noisy_or/quartet/svd_oracle.hpp"
#include "learning/planted.hpp"
#include "model/network_moments.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::planted::uniform;
using moments::QuartetCells;
using moments::QuartetMoments;

/// P(the members of `fixed` are as in `values`), `fixed` and `values` masks; bit set: off.
double probability(const QuartetCells& cells, std::size_t fixed, std::size_t values) {
  double sum = 0;
  for (std::size_t set = 0; set < 16; ++set) {
    if ((set & fixed) == values) sum += cells[set];
  }
  return sum;
}

struct DirectEstimates {
  std::vector<double> prior;
  std::vector<double> failure[4];
};

/// Eq. (2) for every triplet of the quartet and every member in the role of a.
DirectEstimates direct_estimates(const QuartetCells& cells) {
  DirectEstimates estimates;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      for (std::size_t c = b + 1; c < 4; ++c) {
        if (a == b || a == c) continue;
        const std::size_t bit_a = std::size_t{1} << a;
        const std::size_t bit_b = std::size_t{1} << b;
        const std::size_t bit_c = std::size_t{1} << c;
        Eigen::Matrix2d first;   // P(b, c, a = 0)
        Eigen::Matrix2d second;  // P(b, c, a = 1)
        for (std::size_t i = 0; i < 2; ++i) {
          for (std::size_t j = 0; j < 2; ++j) {
            const std::size_t bc = i * bit_b + j * bit_c;
            const auto row = static_cast<Eigen::Index>(i);
            const auto column = static_cast<Eigen::Index>(j);
            first(row, column) = probability(cells, bit_a | bit_b | bit_c, bit_a | bc);
            second(row, column) = probability(cells, bit_a | bit_b | bit_c, bc);
          }
        }
        // The eigenvalues of a 2 x 2 matrix, by its trace and its determinant.
        const Eigen::Matrix2d ratio = second * first.inverse();
        const double middle = ratio.trace() / 2;
        const double square = middle * middle - ratio.determinant();
        if (square < 0) continue;
        const double low = middle - std::sqrt(square);
        const double high = middle + std::sqrt(square);
        const double prior = (1 + high) / (high - low) * (second - low * first).sum();
        if (!(1 + low > 0 && prior > 0 && prior < 1)) continue;
        estimates.prior.push_back(prior);
        estimates.failure[a].push_back((1 + low) / (1 + high));
      }
    }
  }
  return estimates;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double variance(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value - mean(values), 2);
  return sum / static_cast<double>(values.size());
}

/// Sec. 2.1, "Coherence test", word by word.
std::optional<Coherence> direct_coherence(const QuartetCells& cells) {
  const DirectEstimates estimates = direct_estimates(cells);
  if (estimates.prior.size() < 2) return std::nullopt;
  Coherence result{variance(estimates.prior), 0};
  const double prior = mean(estimates.prior);
  double failure[4];
  double noise_off[4];  // 1 - leak, from P(x off) = (1 - leak) (1 - p + p f)
  for (std::size_t k = 0; k < 4; ++k) {
    if (estimates.failure[k].size() < 2) return std::nullopt;
    result.variance = std::max(result.variance, variance(estimates.failure[k]));
    failure[k] = mean(estimates.failure[k]);
    const std::size_t bit = std::size_t{1} << k;
    noise_off[k] = probability(cells, bit, bit) / (1 - prior + prior * failure[k]);
  }
  for (std::size_t set = 0; set < 16; ++set) {
    double with = prior;
    double without = 1 - prior;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) == 0) continue;
      with *= noise_off[k] * failure[k];
      without *= noise_off[k];
    }
    result.distance += std::abs(with + without - probability(cells, set, set));
  }
  return result;
}

TEST(Coherence, matches_the_direct_version_on_random_tables) {
  std::mt19937_64 random(31);
  int n_estimated = 0;
  int n_empty = 0;
  for (int i = 0; i < 2000; ++i) {
    QuartetCells cells = oracle::product_mixture(random, 2 + static_cast<std::size_t>(i) % 2);
    const double noise = std::pow(10, uniform(random, -6, -1));
    double sum = 0;
    for (double& cell : cells) sum += cell = std::abs(cell + noise * uniform(random, -.1, .1));
    for (double& cell : cells) cell /= sum;
    const auto expected = direct_coherence(cells);
    const auto result = coherence(moments::negative_from_cells(cells));
    ASSERT_EQ(result.has_value(), expected.has_value()) << i;
    (result ? n_estimated : n_empty) += 1;
    if (!result) continue;
    EXPECT_NEAR(result->variance, expected->variance, 1e-8);
    EXPECT_NEAR(result->distance, expected->distance, 1e-8);
  }
  EXPECT_GT(n_estimated, 500);
  EXPECT_GT(n_empty, 20);
}

/// Moments of a quartet behind one cause, or behind two that share all four.
QuartetMoments coupled(std::mt19937_64& random, bool doubly, double& prior, double* failure) {
  prior = uniform(random, .05, .45);
  const double second_prior = uniform(random, .05, .45);
  double second[4];
  double leak[4];
  for (std::size_t k = 0; k < 4; ++k) {
    failure[k] = uniform(random, .02, .8);
    second[k] = uniform(random, .02, .8);
    leak[k] = uniform(random, 0, .2);
  }
  QuartetMoments negative{};
  for (std::size_t set = 0; set < 16; ++set) {
    double product = 1;
    double second_product = 1;
    double leaks = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) == 0) continue;
      product *= failure[k];
      second_product *= second[k];
      leaks *= 1 - leak[k];
    }
    negative[set] = leaks * (1 - prior + prior * product);
    if (doubly) negative[set] *= 1 - second_prior + second_prior * second_product;
  }
  return negative;
}

TEST(Coherence, is_rounding_for_singly_coupled_quartets_only) {
  std::mt19937_64 random(32);
  double prior = 0;
  double failure[4];
  for (int i = 0; i < 1000; ++i) {
    const auto single = coherence(coupled(random, false, prior, failure));
    ASSERT_TRUE(single);
    EXPECT_LT(single->variance, 1e-12);
    EXPECT_LT(single->distance, 1e-12);
    const auto twice = coherence(coupled(random, true, prior, failure));
    EXPECT_TRUE(!twice || twice->variance > 1e-9 || twice->distance > 1e-8) << i;
  }
}

TEST(QuartetMixture, gives_back_the_parameters_of_a_singly_coupled_quartet) {
  std::mt19937_64 random(33);
  double prior = 0;
  double failure[4];
  for (int i = 0; i < 1000; ++i) {
    const auto cause = mixture(coupled(random, false, prior, failure));
    ASSERT_TRUE(cause);
    EXPECT_NEAR(cause->prior, prior, 1e-10);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(cause->failure[k], failure[k], 1e-10);
  }
}

TEST(QuartetMixture, takes_the_median_of_the_direct_estimates) {
  std::mt19937_64 random(34);
  int n_compared = 0;
  for (int i = 0; i < 300; ++i) {
    QuartetCells cells = oracle::product_mixture(random, 2);
    double sum = 0;
    for (double& cell : cells) sum += cell = std::abs(cell + uniform(random, -.003, .003));
    for (double& cell : cells) cell /= sum;
    const auto cause = mixture(moments::negative_from_cells(cells));
    if (!cause) continue;
    ++n_compared;
    DirectEstimates estimates = direct_estimates(cells);
    const auto median = [](std::vector<double>& values) {
      std::ranges::sort(values);
      const std::size_t n = values.size();
      return (values[(n - 1) / 2] + values[n / 2]) / 2;
    };
    EXPECT_NEAR(cause->prior, median(estimates.prior), 1e-8);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(cause->failure[k], median(estimates.failure[k]), 1e-8);
    }
  }
  EXPECT_GT(n_compared, 50);
}

TEST(QuartetMixture, refuses_priors_of_a_half_and_more_and_independent_variables) {
  QuartetMoments common{};
  QuartetMoments independent{};
  for (std::size_t set = 0; set < 16; ++set) {
    const int n = std::popcount(set);
    common[set] = .4 + .6 * std::pow(.2, n);
    independent[set] = std::pow(.5, n);
  }
  EXPECT_FALSE(mixture(common));
  EXPECT_FALSE(mixture(independent));
  EXPECT_FALSE(coherence(independent));
}

/// Eqs. (5) and (6) with the pair a, b for the variable x, and Lemma 2's gap, from P(S off).
struct DirectChild {
  double gap = 0;
  double failure = 1;
};

DirectChild direct_child(const model::NoisyOrNetwork& network, const CauseEstimate& cause,
                         std::array<std::size_t, 2> pair, std::array<double, 2> f, std::size_t x) {
  const std::vector<std::size_t> all = {0, 1, 2};
  const auto off = [&](std::vector<std::size_t> set) {
    return learning::planted::negative_moment(network, all, set);
  };
  const auto [a, b] = pair;
  const double pmi = off({a, b}) / (off({a}) * off({b}));
  const double r = off({a, b, x}) * off({x}) / (off({a, x}) * off({b, x}));
  const double square = r * (f[0] - 1) * (f[1] - 1);
  const double linear = r * (f[0] + f[1] - 2) - (f[0] * f[1] - 1);
  const double z = (-linear - std::sqrt(linear * linear - 4 * square * (r - 1))) / (2 * square);
  const double failure = z * (1 - cause.prior) / (cause.prior * (1 - z));
  return {pmi - r, std::clamp(failure, 0.0, 1.0)};
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[2] + values[3]) / 2;
}

// The members are any four variables, so that pairs disagree: of a singly-coupled quartet all say
// the same. An extension from the first pair must not ask the other five.
TEST(Extend, asks_the_first_pair_or_the_median_of_six) {
  constexpr double tau_e = 1e-3;
  const auto network = *model::generate_network("con:5-8,causes=3,observed=10,failure=.05-.4", 7);
  const model::NetworkMoments moments(network);
  const std::array<std::uint32_t, 4> members = {1, 2, 5, 8};
  const CauseEstimate cause{0.2, {0.1, 0.15, 0.3, 0.2}};
  const ChildRule first{tau_e, Extend::first_pair};
  const ChildRule median{tau_e, Extend::median};
  const moments::Subtraction nothing(moments.n_observed());
  const auto of_first = failures_of(moments, nothing, cause, members, first, 0, 10);
  const auto of_median = failures_of(moments, nothing, cause, members, median, 0, 10);
  std::size_t n_different = 0;
  for (const std::size_t x : {0U, 3U, 4U, 6U, 7U, 9U}) {
    std::vector<double> gaps;
    std::vector<double> failures;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        const DirectChild child = direct_child(network, cause, {members[i], members[j]},
                                               {cause.failure[i], cause.failure[j]}, x);
        gaps.push_back(child.gap);
        failures.push_back(std::isnan(child.failure) ? 1 : child.failure);
      }
    }
    EXPECT_NEAR(of_first[x], gaps[0] > tau_e ? failures[0] : 1, 1e-9) << x;
    EXPECT_NEAR(of_median[x], middle(gaps) > tau_e ? middle(failures) : 1, 1e-9) << x;
    n_different += std::abs(of_first[x] - of_median[x]) > 1e-6 ? 1 : 0;
  }
  EXPECT_GT(n_different, 0U);
}

}  // namespace
}  // namespace orrery::quartet
