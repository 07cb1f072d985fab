// The fit of one cause to a quartet: exact on exact moments, calibrated on samples, and the same
// from every instruction set.
#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "learning/planted.hpp"
#include "learning/sampled.hpp"
#include "linalg/decompositions.hpp"
#include "model/network_moments.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

using learning::Sampled;
using learning::SampledInPart;
using Quartet = std::array<std::uint32_t, 4>;

/// One cause of four children, and one more of `coupled` of them.
model::NoisyOrNetwork one_cause(double prior, std::array<double, 4> failure,
                                std::uint32_t coupled) {
  std::vector<model::Edge> edges;
  for (std::uint32_t k = 0; k < 4; ++k) edges.push_back({0, k, failure[k]});
  for (std::uint32_t k = 0; k < coupled; ++k) edges.push_back({1, k, .15});
  return {
      {{"u", prior}, {"v", .2}}, {{"a", .02}, {"b", .05}, {"c", .1}, {"d", .03}, {"e", .3}}, edges};
}

FitResult fit_quartet(const moments::MomentSource& moments, const moments::Subtraction& learned) {
  const Calibration calibration(moments, learned, .05);
  FitBatch batch;
  const Quartet members{0, 1, 2, 3};
  for (std::size_t lane = 0; lane < FitBatch::lanes; ++lane) {
    calibration.fill(batch, lane, members, moments::adjusted_quartet(moments, learned, members));
  }
  FitResult result;
  fit_kernel()(batch, result);
  return result;
}

/// Moments of a network as if so many rows had them.
FitResult fit_exact(const model::NoisyOrNetwork& network, const moments::Subtraction& learned,
                    double n_rows) {
  const model::NetworkMoments exact(network);
  FitBatch batch;
  const auto negative = moments::adjusted_quartet(exact, learned, {0, 1, 2, 3});
  for (std::size_t lane = 0; lane < FitBatch::lanes; ++lane) {
    for (std::size_t set = 0; set < 16; ++set) {
      batch.moment[set][lane] = negative[set];
      batch.rows[set][lane] = n_rows;
    }
  }
  FitResult result;
  fit_kernel()(batch, result);
  return result;
}

TEST(Fit, of_exact_moments_gives_back_the_cause) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    const double prior = learning::planted::uniform(random, .002, .45);
    std::array<double, 4> failure{};
    for (double& f : failure) f = learning::planted::uniform(random, .02, .7);
    const FitResult result =
        fit_exact(one_cause(prior, failure, 1), moments::Subtraction(5), 1e4 / prior);
    EXPECT_LT(result.chi_square[0], .01);
    EXPECT_NEAR(result.prior[0], prior, .1 * result.prior_error[0]) << i;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(result.failure[k][0], failure[k], .1 * result.failure_error[k][0]);
    }
    EXPECT_TRUE(accepts(result, 0));
  }
}

// The weighted square at the fit is the reported one and smaller than around it, by a slow version
// that makes the covariance by its definition from the fitted moments.
TEST(Fit, is_the_least_weighted_square) {
  const Sampled sampled(one_cause(.25, {.2, .3, .1, .4}, 1), 4, 2000);
  const double n = 2000;
  const moments::Subtraction none(5);
  const FitResult result = fit_quartet(sampled.moments, none);
  std::array<double, 4> failure{};
  for (std::size_t k = 0; k < 4; ++k) failure[k] = result.failure[k][0];
  const auto factor = [](double prior, const std::array<double, 4>& f, std::size_t set) {
    double product = 1;
    for (std::size_t k = 0; k < 4; ++k) product *= ((set >> k) & 1U) != 0 ? f[k] : 1;
    return 1 - prior + prior * product;
  };
  const auto raw = moments::adjusted_quartet(sampled.moments, none, {0, 1, 2, 3});
  std::array<double, 16> observed{};
  std::array<double, 16> fitted{};
  for (std::size_t set = 0; set < 16; ++set) {
    observed[set] = set == 0 ? 1 : (n * raw[set] + .5) / (n + .5);
    fitted[set] = factor(result.prior[0], failure, set);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t bit = std::size_t{1} << k;
      if ((set & bit) != 0) {
        fitted[set] *= (n * raw[bit] + .5) / (n + .5) / factor(result.prior[0], failure, bit);
      }
    }
  }
  Eigen::Matrix<double, 11, 16> map;
  Eigen::Matrix<double, 16, 16> covariance;
  for (std::size_t s = 0; s < 16; ++s) {
    for (std::size_t t = 0; t < 16; ++t) {
      covariance(static_cast<int>(s), static_cast<int>(t)) =
          (fitted[s | t] / (fitted[s] * fitted[t]) - 1) / n;
    }
    for (std::size_t i = 0; i < 11; ++i) {
      const bool within = (coupled_sets[i] & s) == s;
      const bool even = std::popcount(coupled_sets[i] ^ s) % 2 == 0;
      map(static_cast<int>(i), static_cast<int>(s)) = !within ? 0 : even ? 1 : -1;
    }
  }
  const Eigen::MatrixXd precision = linalg::pseudo_inverse_of(map * covariance * map.transpose());
  const auto chi_square = [&](double prior, const std::array<double, 4>& f) {
    Eigen::Matrix<double, 16, 1> gap;
    for (std::size_t s = 0; s < 16; ++s) {
      gap(static_cast<int>(s)) = std::log(observed[s] / factor(prior, f, s));
    }
    const Eigen::Matrix<double, 11, 1> residual = map * gap;
    return residual.dot(precision * residual);
  };
  const double best = chi_square(result.prior[0], failure);
  EXPECT_NEAR(best, result.chi_square[0], .01 * best);  // its covariance is of one fit before
  for (const double step : {-.2, .2}) {
    EXPECT_GT(chi_square(result.prior[0] + step * result.prior_error[0], failure), best);
    for (std::size_t k = 0; k < 4; ++k) {
      auto moved = failure;
      moved[k] += step * result.failure_error[k][0];
      EXPECT_GT(chi_square(result.prior[0], moved), best);
    }
  }
}

// Six degrees of freedom: the mean of 400 is 6 +- 4 sqrt(12 / 400) = .69.
TEST(Fit, chi_square_of_true_quartets_is_as_large_where_values_are_missing) {
  const auto network = one_cause(.25, {.2, .3, .1, .4}, 1);
  constexpr int n_sets = 400;
  double sum = 0;
  int n_passed = 0;
  for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
    const SampledInPart sampled(network, seed, 10'000, .3);
    const FitResult result = fit_quartet(*sampled.moments, moments::Subtraction(5));
    sum += result.chi_square[0];
    n_passed += accepts(result, 0) ? 1 : 0;
  }
  EXPECT_NEAR(sum / n_sets, 6, .69);
  EXPECT_GE(n_passed, .97 * n_sets);  // 99 % - 4 sqrt(.01 .99 / 400)
}

struct Setting {
  double prior;
  std::size_t n_rows;
};
class TrueQuartets : public testing::TestWithParam<Setting> {};

// Accepted at the 1 % point: of 600 true quartets 97.5 to 99.9 % (99 % +- 4 sqrt(.01 .99 / 600)).
// The prior is within two standard errors in 95 %, give or take 4 sqrt(.05 .95 / 600) = 3.6 %.
TEST_P(TrueQuartets, pass_as_often_as_they_should) {
  int n_passed = 0;
  int n_within = 0;
  constexpr int n_sets = 600;
  const double prior = GetParam().prior;
  const auto network = one_cause(prior, {.2, .3, .1, .4}, 1);
  for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
    const Sampled sampled(network, seed, GetParam().n_rows);
    const FitResult result = fit_quartet(sampled.moments, moments::Subtraction(5));
    n_passed += accepts(result, 0) ? 1 : 0;
    n_within += std::abs(result.prior[0] - prior) < 2 * result.prior_error[0] ? 1 : 0;
  }
  EXPECT_GE(n_passed, .975 * n_sets);
  EXPECT_LE(n_passed, .999 * n_sets);
  EXPECT_NEAR(n_within, .95 * n_sets, .04 * n_sets);
}

INSTANTIATE_TEST_SUITE_P(Settings, TrueQuartets,
                         testing::Values(Setting{.25, 500}, Setting{.25, 10'000},
                                         Setting{.05, 4000}, Setting{.001, 100'000},
                                         Setting{.4, 4000}));

TEST(Fit, rejects_quartets_that_a_second_cause_couples) {
  int n_passed = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Sampled sampled(one_cause(.25, {.2, .3, .1, .4}, 2), seed, 4000);
    n_passed += accepts(fit_quartet(sampled.moments, moments::Subtraction(5)), 0) ? 1 : 0;
  }
  EXPECT_LT(n_passed, 5);
}

TEST(Fit, accepts_them_once_the_second_cause_is_subtracted) {
  int n_passed = 0;
  const auto network = one_cause(.25, {.2, .3, .1, .4}, 2);
  moments::Subtraction learned(5);
  learned.add(network.causes()[1].prior, network.dense_failures(1), .01,
              std::vector<double>{.02, .02, 0, 0, 0});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Sampled sampled(network, seed, 4000);
    n_passed += accepts(fit_quartet(sampled.moments, learned), 0) ? 1 : 0;
  }
  EXPECT_GE(n_passed, 194);
}

TEST(Fit, every_instruction_set_gives_the_same_bits_in_every_lane) {
  std::mt19937_64 random(5);
  FitBatch batch;
  batch.has_learned = true;
  for (int round = 0; round < 20; ++round) {
    for (std::size_t lane = 0; lane < FitBatch::lanes; ++lane) {
      std::array<double, 4> failure{};
      for (double& f : failure) f = learning::planted::uniform(random, 0, .9);
      const auto network = one_cause(learning::planted::uniform(random, .01, .45), failure,
                                     static_cast<std::uint32_t>(lane % 4));
      const Sampled sampled(network, random(), 500);
      moments::Subtraction learned(5);
      learned.add(.1, std::vector<double>{.5, .5, 1, .8, 1}, .02, std::vector<double>(5, .03));
      const Calibration calibration(sampled.moments, learned, .05);
      calibration.fill(batch, lane, {0, 1, 2, 3},
                       moments::adjusted_quartet(sampled.moments, learned, {0, 1, 2, 3}));
      for (std::size_t set = 0; set < 16; ++set) {
        const double share = 1 - .05 * static_cast<double>(lane);
        batch.rows[set][lane] = 500 * std::pow(share, std::popcount(set));
      }
    }
    batch.has_missing = round % 2 == 1;
    FitResult baseline;
    fit_baseline(batch, baseline);
    for (const auto isa : {kernels::Isa::avx2, kernels::Isa::avx512}) {
      const FitKernel kernel = find_fit_kernel(isa);
      if (kernel == nullptr) continue;
      FitResult other;
      kernel(batch, other);
      EXPECT_EQ(other.chi_square, baseline.chi_square);
      EXPECT_EQ(other.prior, baseline.prior);
      EXPECT_EQ(other.failure, baseline.failure);
      EXPECT_EQ(other.prior_error, baseline.prior_error);
      EXPECT_EQ(other.failure_error, baseline.failure_error);
    }
    // A quartet's result does not depend on its neighbours.
    FitBatch turned = batch;
    for (auto* rows : {&turned.moment, &turned.learned, &turned.rows}) {
      for (auto& row : *rows) std::ranges::rotate(row, row.begin() + 3);
    }
    for (auto& row : turned.extra) std::ranges::rotate(row, row.begin() + 3);
    FitResult other;
    fit_kernel()(turned, other);
    for (std::size_t lane = 0; lane < FitBatch::lanes; ++lane) {
      EXPECT_EQ(other.chi_square[lane], baseline.chi_square[(lane + 3) % FitBatch::lanes]);
    }
  }
}

}  // namespace
}  // namespace orrery::quartet
