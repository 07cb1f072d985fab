// Standard errors against their definition: gradients of the rows by differences, all states of the
// causes one after the other.
#include "families/noisy_or/quartet/refine/errors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::quartet {
namespace {

model::NoisyOrNetwork two_causes() {
  return {{{"u", .25}, {"v", .3}},
          {{"a", .1}, {"b", .05}, {"c", .1}, {"d", .2}, {"e", .15}},
          {{0, 0, .2}, {0, 1, .3}, {0, 2, .1}, {1, 2, .4}, {1, 3, .2}, {1, 4, .3}}};
}

double log_likelihood(const model::NoisyOrNetwork& network, const learning::SampledInPart& sampled,
                      std::size_t row) {
  double sum = 0;
  for (std::size_t state = 0; state < std::size_t{1} << network.n_causes(); ++state) {
    double weight = 1;
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      const double prior = network.causes()[u].prior;
      weight *= ((state >> u) & 1U) != 0 ? prior : 1 - prior;
    }
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      if (sampled.missing.at(row, a)) continue;
      double off = 1 - network.observed()[a].leak;
      for (std::size_t u = 0; u < network.n_causes(); ++u) {
        if (((state >> u) & 1U) != 0) off *= network.failure(u, a);
      }
      weight *= sampled.values.at(row, a) ? 1 - off : off;
    }
    sum += weight;
  }
  return std::log(sum);
}

/// Priors, leaks, failures.
model::NoisyOrNetwork shifted(const model::NoisyOrNetwork& network, std::size_t number,
                              double step) {
  auto causes = network.causes();
  auto observed = network.observed();
  auto edges = network.edges();
  const std::size_t n = causes.size();
  const std::size_t m = observed.size();
  if (number < n) {
    causes[number].prior += step;
  } else if (number < n + m) {
    observed[number - n].leak += step;
  } else {
    edges[number - n - m].failure += step;
  }
  return {causes, observed, edges};
}

/// -d2 log of the priors of the parameters (em.hpp).
double curvature_of_priors(const model::NoisyOrNetwork& network, std::size_t number) {
  const auto of = [](double value, double off, double on) {
    return off / (value * value) + on / ((1 - value) * (1 - value));
  };
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  if (number < n) return of(network.causes()[number].prior, .5, .5);
  if (number < n + m) return of(network.observed()[number - n].leak, .5, 0);
  return of(network.edges()[number - n - m].failure, 2, 6);
}

/// With this share of the values missing.
class StandardErrors : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Missing, StandardErrors, testing::Values(0, .3));

TEST_P(StandardErrors, are_those_of_the_observed_information) {
  const model::NoisyOrNetwork network = two_causes();
  constexpr std::size_t n_rows = 300;
  const learning::SampledInPart sampled(network, 4, n_rows, GetParam());
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values,
                               GetParam() > 0 ? &sampled.missing : nullptr);
  const model::StandardErrors errors = standard_errors(rows, network, {});
  std::vector<double> all = errors.prior;
  all.insert(all.end(), errors.leak.begin(), errors.leak.end());
  all.insert(all.end(), errors.failure.begin(), errors.failure.end());

  const auto k = static_cast<Eigen::Index>(all.size());
  ASSERT_EQ(k, 2 + 5 + 6);
  Eigen::MatrixXd gradient(n_rows, k);
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(k, k);
  constexpr double step = 1e-5;
  for (Eigen::Index i = 0; i < k; ++i) {
    const auto number = static_cast<std::size_t>(i);
    const auto more = shifted(network, number, step);
    const auto less = shifted(network, number, -step);
    for (std::size_t row = 0; row < n_rows; ++row) {
      gradient(static_cast<Eigen::Index>(row), i) =
          (log_likelihood(more, sampled, row) - log_likelihood(less, sampled, row)) / (2 * step);
    }
    information(i, i) = curvature_of_priors(network, number);
  }
  information += gradient.transpose() * gradient;
  const Eigen::MatrixXd covariance = linalg::pseudo_inverse_of(information);
  for (Eigen::Index i = 0; i < k; ++i) {
    const double expected = std::sqrt(covariance(i, i));
    EXPECT_NEAR(all[static_cast<std::size_t>(i)], expected, 1e-5 * expected) << i;
  }
}

}  // namespace
}  // namespace orrery::quartet
