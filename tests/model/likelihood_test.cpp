#include "model/likelihood.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/numbers.hpp"
#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::model {
namespace {

using oracle::Row;
using oracle::Value;

double enumerated(const NoisyOrNetwork& network, const std::vector<Row>& rows) {
  long double sum = 0;
  for (const Row& row : rows) sum += std::log(oracle::probability(network, row));
  return static_cast<double>(sum / static_cast<long double>(rows.size()));
}

data::SampleMatrix sampled(const NoisyOrNetwork& network, std::size_t n_rows) {
  data::SampleMatrix samples;
  samples.values = data::BitPanels(network.n_observed(), n_rows);
  samples.values.insert(0, sample_rows(network, 1, 0, n_rows));
  return samples;
}

void expect_equal(double actual, double expected) {
  if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected);
  } else {
    EXPECT_NEAR(actual, expected, 1e-12 * std::max(1.0, std::abs(expected)));
  }
}

// Row by row, so that an impossible row does not hide the others; then the possible ones at once.
void compare_with_enumeration(std::mt19937_64& random, std::uint32_t n_causes, bool with_mask) {
  const NoisyOrNetwork network = oracle::random_network(random, n_causes, 6, 0.4);
  std::vector<Row> possible;
  for (int r = 0; r < 40; ++r) {
    Row row(6);
    for (Value& value : row) value = static_cast<Value>(random() % (with_mask ? 3 : 2));
    const double expected = enumerated(network, {row});
    expect_equal(mean_log_likelihood(network, oracle::matrix({row}, with_mask)), expected);
    if (std::isfinite(expected)) possible.insert(possible.end(), {row, row});
  }
  if (possible.empty()) return;
  expect_equal(mean_log_likelihood(network, oracle::matrix(possible, with_mask)),
               enumerated(network, possible));
}

TEST(MeanLogLikelihood, equals_enumeration_for_one_to_six_causes) {
  std::mt19937_64 random(5);
  for (std::uint32_t n_causes = 1; n_causes <= 6; ++n_causes) {
    for (int trial = 0; trial < 30; ++trial) compare_with_enumeration(random, n_causes, false);
  }
}

TEST(MeanLogLikelihood, sums_missing_values_out) {
  std::mt19937_64 random(6);
  for (std::uint32_t n_causes = 1; n_causes <= 6; ++n_causes) {
    for (int trial = 0; trial < 30; ++trial) compare_with_enumeration(random, n_causes, true);
  }
}

TEST(MeanLogLikelihood, probabilities_of_all_rows_sum_to_one) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const NoisyOrNetwork network = oracle::random_network(random, 5, 7, 0.5);
    double sum = 0;
    for (unsigned cell = 0; cell < 128; ++cell) {
      Row row(7, Value::off);
      for (unsigned a = 0; a < 7; ++a) {
        if (((cell >> a) & 1U) != 0) row[a] = Value::on;
      }
      sum += std::exp(mean_log_likelihood(network, oracle::matrix({row}, false)));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(MeanLogLikelihood, a_network_without_causes_is_a_product_of_leaks) {
  const NoisyOrNetwork network({}, {{"a", 0.25}, {"b", 0.5}}, {});
  const std::vector<Row> rows{{Value::on, Value::off}, {Value::off, Value::missing}};
  EXPECT_NEAR(mean_log_likelihood(network, oracle::matrix(rows, true)),
              (std::log(0.25) + std::log(0.5) + std::log(0.75)) / 2, 1e-15);
}

TEST(MeanLogLikelihood, an_impossible_row_has_minus_infinity) {
  const NoisyOrNetwork network({{"u", 0.5}}, {{"a", 0}, {"b", 0}, {"c", 0}},
                               {{0, 0, 0.5}, {0, 1, 0.5}});
  const Row possible{Value::on, Value::off, Value::off};
  const Row impossible{Value::on, Value::off, Value::on};
  EXPECT_EQ(mean_log_likelihood(network, oracle::matrix({possible, impossible}, false)), -infinity);
  EXPECT_NEAR(mean_log_likelihood(network, oracle::matrix({possible}, false)), std::log(0.125),
              1e-15);
}

TEST(MeanLogLikelihood, hundreds_of_unlikely_findings_do_not_underflow) {
  constexpr std::uint32_t n = 800;
  std::vector<Observed> observed(2 * n, {"x", 1e-3});
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 2 * n; ++a) edges.push_back({a < n ? 0U : 1U, a, 0.1});
  edges.push_back({1, 0, 0.5});
  // Cause 1 explains x0, were it not for its n quiet children; cause 0 is impossible.
  const NoisyOrNetwork network({{"u", 0}, {"v", 0.5}}, observed, edges);
  Row row(2 * n, Value::off);
  std::fill(row.begin(), row.begin() + n, Value::on);
  expect_equal(mean_log_likelihood(network, oracle::matrix({row}, false)),
               std::log(0.5) + n * std::log(1e-3) + n * std::log1p(-1e-3));
}

TEST(MeanLogLikelihood, the_only_explanation_counts_however_unlikely) {
  constexpr std::uint32_t n = 500;
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < n; ++a) edges.push_back({0, a, 0.1});
  const NoisyOrNetwork network({{"u", 0.5}}, std::vector<Observed>(n, {"x", 0}), edges);
  Row row(n, Value::off);
  row[0] = Value::on;  // leaks are 0: the cause is present and failed 499 times
  expect_equal(mean_log_likelihood(network, oracle::matrix({row}, false)),
               std::log(0.5) + std::log(0.9) + (n - 1) * std::log(0.1));
}

TEST(MeanLogLikelihood, tiny_leaks_keep_their_digits) {
  const NoisyOrNetwork network({{"u", 0}}, {{"a", 1e-18}}, {{0, 0, 0.5}});
  expect_equal(mean_log_likelihood(network, oracle::matrix({{Value::on}}, false)), std::log(1e-18));
}

TEST(MeanLogLikelihood, the_number_of_threads_changes_nothing) {
  const NoisyOrNetwork network = generate_network("img", 0).value();
  const data::SampleMatrix samples = sampled(network, 1000);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const double expected = mean_log_likelihood(network, samples);
  for (const int n_threads : {2, 3, 7}) {
    omp_set_num_threads(n_threads);
    EXPECT_EQ(mean_log_likelihood(network, samples), expected) << n_threads << " threads";
  }
  omp_set_num_threads(before);
}

TEST(MeanLogLikelihood, is_highest_at_the_truth) {
  const NoisyOrNetwork truth(
      {{"u", 0.3}, {"v", 0.2}}, std::vector<Observed>(5, {"x", 0.05}),
      {{0, 0, 0.2}, {0, 1, 0.2}, {0, 2, 0.4}, {1, 2, 0.1}, {1, 3, 0.3}, {1, 4, 0.3}});
  const data::SampleMatrix samples = sampled(truth, 20000);
  const double at_truth = mean_log_likelihood(truth, samples);
  for (std::size_t i = 0; i < truth.edges().size(); ++i) {
    std::vector<Edge> edges = truth.edges();
    edges[i].failure += 0.2;
    const NoisyOrNetwork other(truth.causes(), truth.observed(), edges);
    EXPECT_LT(mean_log_likelihood(other, samples), at_truth);
  }
}

TEST(MeanLogLikelihood, refuses_a_component_above_the_limit) {
  const NoisyOrNetwork network = generate_network("bars:4", 0).value();  // 8 causes, all connected
  const data::SampleMatrix samples = sampled(network, 10);
  EXPECT_EQ(largest_component(network), 8U);
  EXPECT_NO_THROW(mean_log_likelihood(network, samples, 8));
  const std::string message =
      oracle::message_of<UsageError>([&] { mean_log_likelihood(network, samples, 7); });
  EXPECT_NE(message.find("one of 8, the limit is 7"), std::string::npos) << message;
}

TEST(MeanLogLikelihood, refuses_data_of_another_shape) {
  const NoisyOrNetwork network({}, {{"a", 0.5}, {"b", 0.5}}, {});
  const auto message = [&](const data::SampleMatrix& samples) {
    return oracle::message_of<InputError>([&] { mean_log_likelihood(network, samples); });
  };
  EXPECT_NE(
      message(oracle::matrix({Row(3, Value::off)}, false)).find("2 observed variables, the data 3"),
      std::string::npos);
  data::SampleMatrix empty;
  empty.values = data::BitPanels(2, 0);
  EXPECT_NE(message(empty).find("0 rows"), std::string::npos);
}

TEST(LargestComponent, counts_causes) {
  EXPECT_EQ(largest_component(NoisyOrNetwork()), 0U);
  EXPECT_EQ(largest_component(generate_network("img", 0).value()), 8U);
}

}  // namespace
}  // namespace orrery::model
