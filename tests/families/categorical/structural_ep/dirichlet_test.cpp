// The projection of a mixture of two Dirichlet distributions, against its moments.
#include "families/categorical/structural_ep/dirichlet.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "families/categorical/structural_ep/polygamma.hpp"

namespace orrery::structural_ep {
namespace {

using Counts = std::vector<double>;

TEST(Polygamma, agree_with_those_of_boost) {
  const auto below_ten = [](double x) { return x < 10; };
  for (double x = 1e-6; x < 1e7; x *= 1.01) {
    const auto found = polygamma_of<double, std::int64_t>(x, below_ten);
    const double digamma = boost::math::digamma(x);
    const double trigamma = boost::math::trigamma(x);
    // Sums of terms whose sizes are at most that of the largest of them.
    EXPECT_NEAR(found.digamma, digamma, 8e-16 * (3 + std::abs(digamma))) << x;
    EXPECT_NEAR(found.trigamma, trigamma, 2e-15 * trigamma) << x;
  }
}

double total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

Counts logs_of(const Counts& counts) {
  Counts logs;
  for (const double c : counts) {
    logs.push_back(boost::math::digamma(c) - boost::math::digamma(total(counts)));
  }
  return logs;
}

/// Of p Dir(counts + e_x) + (1 - p) Dir(counts).
template <class Moments>
Counts mixed(const Counts& counts, std::size_t x, double p, const Moments& moments) {
  Counts more = counts;
  more[x] += 1;
  const Counts without = moments(counts);
  Counts with = moments(more);
  for (std::size_t l = 0; l < with.size(); ++l) with[l] = p * with[l] + (1 - p) * without[l];
  return with;
}

struct Mixture {
  Counts counts;
  std::size_t x;
  double p;
};

std::vector<Mixture> mixtures() {
  std::vector<Mixture> all;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  for (const std::size_t n : {2U, 3U, 4U, 10U, 64U}) {
    for (int i = 0; i < 100; ++i) {
      Counts counts(n);
      for (double& c : counts) c = std::exp(-4 + 12 * uniform(random));
      all.push_back({counts, random() % n, i % 10 == 0 ? 1e-9 : uniform(random)});
    }
  }
  return all;
}

TEST(Projection, keeps_the_mean_logarithms) {
  for (const Mixture& m : mixtures()) {
    Counts result(m.counts.size());
    project(Projection::mean_log, m.counts, m.x, m.p, result);
    const Counts wanted = mixed(m.counts, m.x, m.p, logs_of);
    const Counts got = logs_of(result);
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      // Logarithms of a share with 1e-2 counts are some 100.
      EXPECT_NEAR(got[l], wanted[l], 1e-10 * std::max(1.0, std::abs(wanted[l])))
          << m.counts.size() << " categories, p " << m.p;
    }
  }
}

TEST(Projection, keeps_means_and_the_sum_of_squares) {
  const auto means = [](const Counts& c) {
    Counts result;
    for (const double count : c) result.push_back(count / total(c));
    return result;
  };
  const auto squares = [](const Counts& c) {
    double sum = 0;
    for (const double count : c) sum += count * (count + 1) / (total(c) * (total(c) + 1));
    return Counts{sum};
  };
  for (const Mixture& m : mixtures()) {
    Counts result(m.counts.size());
    project(Projection::mean_variance, m.counts, m.x, m.p, result);
    const Counts wanted = mixed(m.counts, m.x, m.p, means);
    const Counts got = means(result);
    for (std::size_t l = 0; l < wanted.size(); ++l) EXPECT_NEAR(got[l], wanted[l], 1e-12);
    EXPECT_NEAR(squares(result)[0], mixed(m.counts, m.x, m.p, squares)[0], 1e-12);
  }
}

TEST(Projection, of_one_component_is_that_component) {
  const Counts counts{.5, 2, 7};
  for (const Projection projection : {Projection::mean_log, Projection::mean_variance}) {
    Counts result(3);
    project(projection, counts, 1, 0, result);
    EXPECT_EQ(result, counts);
    project(projection, counts, 1, 1, result);
    EXPECT_EQ(result, (Counts{.5, 3, 7}));
  }
}

TEST(Projection, begins_anywhere_and_ends_in_the_same_counts) {
  const Counts counts{.02, 40, 3000};
  for (const double start : {1e-3, 1.0, 1e5}) {
    Counts fitted(3, start);
    EXPECT_LT(fit_mean_logs(logs_of(counts), fitted), 100);
    for (std::size_t l = 0; l < 3; ++l) EXPECT_NEAR(fitted[l] / counts[l], 1, 1e-9) << start;
  }
}

TEST(LogBeta, of_whole_numbers_is_a_ratio_of_factorials) {
  EXPECT_NEAR(log_beta(Counts{2, 3, 1}), std::log(1.0 * 2 * 1 / 120), 1e-14);
}

}  // namespace
}  // namespace orrery::structural_ep
