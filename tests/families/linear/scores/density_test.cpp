#include <gtest/gtest.h>
#include <omp.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "families/linear/scores/scores.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::LinearNetwork;
using model::LinearParts;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

LinearParts two_causes() {
  LinearParts parts;
  parts.names = {"a", "b", "c", "d", "e"};
  parts.cause_names = {"g", "h"};
  parts.means = VectorXd{{1, -1, 0, .5, 2}};
  parts.loadings = MatrixXd{{.8, 0}, {-.6, 0}, {0, .7}, {0, 1.5}, {.5, -.5}};
  parts.noise = VectorXd{{.5, .25, 1, .1, .3}};
  parts.covariance = MatrixXd{{1, .5}, {.5, 2}};
  return parts;
}

/// From the covariance of the values that are there, inverted.
double brute_force(const LinearNetwork& network, const std::vector<double>& row) {
  MatrixXd sigma = network.loadings() * network.covariance() * network.loadings().transpose();
  sigma.diagonal() += network.noise();
  std::vector<Index> there;
  for (Index i = 0; i < sigma.rows(); ++i) {
    if (!std::isnan(row[static_cast<std::size_t>(i)])) there.push_back(i);
  }
  const VectorXd off = Eigen::Map<const VectorXd>(row.data(), sigma.rows()) - network.means();
  const linalg::Cholesky cholesky(sigma(there, there));
  const VectorXd off_part = off(there);
  return -(static_cast<double>(there.size()) * std::log(2 * std::numbers::pi) +
           cholesky.log_determinant() + off_part.dot(cholesky.solve(off_part))) /
         2;
}

std::vector<std::vector<double>> rows_with_gaps() {
  return {{1, -1, 0, .5, 2},
          {3, 1, -2, 1, 0},
          {missing, 1, -2, 1, 0},
          {1, missing, 0, missing, 2},
          {missing, missing, missing, missing, 3},
          {0, missing, 1, missing, 1}};
}

void expect_brute_force(const LinearNetwork& network) {
  const auto rows = rows_with_gaps();
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  std::vector<double> found(rows.size());
  LinearDensity(network).log_densities(values.data(), found);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_NEAR(found[r], brute_force(network, rows[r]), 1e-11) << r;
  }
}

TEST(LinearDensity, is_the_normal_density_of_what_is_there) {
  expect_brute_force(LinearNetwork(two_causes()));
  LinearParts coupled = two_causes();
  coupled.covariance.resize(0, 0);
  coupled.coupling = MatrixXd{{0, 0}, {.5, 0}};
  expect_brute_force(LinearNetwork(coupled));
}

TEST(LinearDensity, takes_variables_without_noise) {
  LinearParts parts = two_causes();
  parts.noise(1) = 0;
  expect_brute_force(LinearNetwork(parts));
  parts.noise(3) = 1e-9;
  expect_brute_force(LinearNetwork(parts));
}

TEST(LinearDensity, refuses_a_singular_covariance) {
  LinearParts parts = two_causes();
  parts.noise = VectorXd{{0, 0, 1, 1, 1}};  // a and b tell the first cause twice
  EXPECT_THROW(LinearDensity{LinearNetwork(parts)}, InputError);
  parts.noise = VectorXd{{0, 1, 0, 1, 1}};
  EXPECT_NO_THROW(LinearDensity{LinearNetwork(parts)});
  parts.loadings(4, 0) = parts.loadings(4, 1) = 0;
  parts.noise(4) = 0;  // e is a constant
  EXPECT_THROW(LinearDensity{LinearNetwork(parts)}, InputError);
  parts.noise = VectorXd::Ones(5);
  parts.loadings(4, 0) = 1e200;
  EXPECT_THROW(LinearDensity{LinearNetwork(parts)}, InputError);
}

TEST(LinearDensity, a_row_of_nothing_says_nothing) {
  const std::vector<double> row(5, missing);
  double found = 1;
  LinearDensity(LinearNetwork(two_causes())).log_densities(row.data(), {&found, 1});
  EXPECT_EQ(found, 0);
}

TEST(LinearDensity, what_overflows_is_as_unlikely_as_can_be) {
  const std::vector<double> row{1e300, -1e300, 1e300, 1e300, 1e308};
  double found = 1;
  LinearDensity(LinearNetwork(two_causes())).log_densities(row.data(), {&found, 1});
  EXPECT_EQ(found, -std::numeric_limits<double>::infinity());
}

TEST(LinearDensity, without_causes_variables_are_independent) {
  const LinearNetwork network(two_causes());
  const LinearNetwork alone = without_causes(network);
  EXPECT_EQ(alone.n_causes(), 0U);
  EXPECT_EQ(alone.means(), network.means());
  EXPECT_DOUBLE_EQ(alone.noise()(0), .64 + .5);
  EXPECT_DOUBLE_EQ(alone.noise()(4), .25 + .5 - .25 + .3);  // .5^2 1 + .5^2 2 - 2 .5 .5 .5
  expect_brute_force(alone);
}

TEST(LinearDensity, does_not_depend_on_the_number_of_threads) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> values(5 * 1000);
  for (double& value : values) value = random() % 10 == 0 ? missing : normal(random);
  const LinearDensity density{LinearNetwork(two_causes())};
  std::vector<double> one(1000);
  std::vector<double> three(1000);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  density.log_densities(values.data(), one);
  omp_set_num_threads(3);
  density.log_densities(values.data(), three);
  omp_set_num_threads(before);
  EXPECT_EQ(one, three);
  for (std::size_t r = 250; r < 260; ++r) {
    const std::vector<double> row(values.begin() + static_cast<std::ptrdiff_t>(5 * r),
                                  values.begin() + static_cast<std::ptrdiff_t>(5 * r + 5));
    EXPECT_NEAR(one[r], brute_force(LinearNetwork(two_causes()), row), 1e-11);
  }
}

}  // namespace
}  // namespace orrery::linear
