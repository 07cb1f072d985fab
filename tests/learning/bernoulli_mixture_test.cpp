
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "learning/baselines.hpp"
#include "learning/sampled.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

/// Two kinds of rows over three variables.
const BernoulliMixture two_kinds{3, {.25, .75}, {.9, .8, .2, .1, .3, .6}};

double probability_by_hand(const BernoulliMixture& mixture, const std::string& row) {
  double sum = 0;
  for (std::size_t k = 0; k < mixture.n_components(); ++k) {
    double product = mixture.weights[k];
    for (std::size_t a = 0; a < row.size(); ++a) {
      const double on = mixture.on[k * mixture.n_variables + a];
      if (row[a] != '?') product *= row[a] == '1' ? on : 1 - on;
    }
    sum += product;
  }
  return sum;
}

std::vector<std::string> drawn_rows(const BernoulliMixture& mixture, std::size_t n) {
  std::vector<std::string> rows;
  for (std::size_t r = 0; r < n; ++r) {
    RowRandom random(3, Stream::check, r);
    const double u = random.uniform();
    double sum = 0;
    std::size_t k = 0;
    while (k + 1 < mixture.n_components() && u >= (sum += mixture.weights[k])) ++k;
    std::string row;
    for (std::size_t a = 0; a < mixture.n_variables; ++a) {
      row += random.bernoulli(mixture.on[k * mixture.n_variables + a]) ? '1' : '0';
    }
    rows.push_back(row);
  }
  return rows;
}

/// Three kinds over twelve variables, each with four of its own.
BernoulliMixture three_kinds() {
  BernoulliMixture mixture{12, {.5, .3, .2}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t a = 0; a < 12; ++a) mixture.on.push_back(a / 4 == k ? .9 : .05);
  }
  return mixture;
}

TEST(bernoulli_mixture, says_what_the_definition_says_of_each_row) {
  double total = 0;
  for (int code = 0; code < 8; ++code) {
    std::string row;
    for (int a = 0; a < 3; ++a) row += ((code >> a) & 1) != 0 ? '1' : '0';
    const double expected = probability_by_hand(two_kinds, row);
    EXPECT_NEAR(mean_log_likelihood(two_kinds, samples_of({row})), std::log(expected), 1e-12);
    total += expected;
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(bernoulli_mixture, sums_missing_values_out) {
  const double expected = std::log(probability_by_hand(two_kinds, "1?0")) +
                          std::log(probability_by_hand(two_kinds, "01?"));
  EXPECT_NEAR(mean_log_likelihood(two_kinds, samples_of({"1?0", "01?"})), expected / 2, 1e-12);
}

TEST(bernoulli_mixture, one_component_is_independence) {
  const data::SampleMatrix samples = samples_of(drawn_rows(two_kinds, 500));
  MixtureOptions options;
  options.numbers = {1};
  const BernoulliMixture one = fit_mixture(samples, options);
  EXPECT_NEAR(mean_log_likelihood(one, samples),
              mean_log_likelihood(fit_independent(samples), samples), 1e-3);
}

TEST(bernoulli_mixture, finds_the_kinds_of_rows_and_no_worse_likelihood_than_theirs) {
  const BernoulliMixture truth = three_kinds();
  const std::vector<std::string> rows = drawn_rows(truth, 5000);
  const data::SampleMatrix train = samples_of({rows.begin(), rows.begin() + 3000});
  const data::SampleMatrix test = samples_of({rows.begin() + 3000, rows.end()});
  MixtureOptions options;
  options.numbers = {1, 2, 3, 6, 12};
  const BernoulliMixture found = fit_mixture(train, options);
  EXPECT_GE(found.n_components(), 3U);
  EXPECT_NEAR(std::accumulate(found.weights.begin(), found.weights.end(), 0.0), 1, 1e-12);
  // 38 parameters of three components cost 38 / (2 3000) = .006 nats; twice as many .013.
  EXPECT_GT(mean_log_likelihood(found, test), mean_log_likelihood(truth, test) - .02);
  EXPECT_GT(mean_log_likelihood(found, test), mean_log_likelihood(fit_chow_liu(train), test) + .1);
}

// Single precision may count more rows with a variable on than there are: no probability above 1.
TEST(bernoulli_mixture, takes_variables_that_are_on_in_every_row) {
  BernoulliMixture truth = three_kinds();
  for (std::size_t k = 0; k < 3; ++k) truth.on[12 * k] = truth.on[12 * k + 1] = 1;
  const data::SampleMatrix samples = samples_of(drawn_rows(truth, 12'000));
  const BernoulliMixture found = fit_mixture(samples, {});
  EXPECT_GE(found.n_components(), 2U);
  for (const double on : found.on) EXPECT_TRUE(on > 0 && on < 1) << on;
}

TEST(bernoulli_mixture, is_the_same_for_any_number_of_threads) {
  const data::SampleMatrix samples = samples_of(drawn_rows(three_kinds(), 2000));
  MixtureOptions options;
  options.numbers = {5};
  const BernoulliMixture one = fit_mixture(samples, options);
  options.threads = 3;
  const BernoulliMixture three = fit_mixture(samples, options);
  EXPECT_EQ(one.weights, three.weights);
  EXPECT_EQ(one.on, three.on);
  EXPECT_EQ(mean_log_likelihood(one, samples, 1), mean_log_likelihood(one, samples, 3));
}

TEST(bernoulli_mixture, learns_from_some_of_many_rows) {
  const std::vector<std::string> rows = drawn_rows(three_kinds(), 2000);
  std::vector<std::string> every_second;
  for (std::size_t r = 0; r < rows.size(); r += 2) every_second.push_back(rows[r]);
  MixtureOptions options;
  options.numbers = {3};
  options.most_rows = 1000;
  EXPECT_EQ(fit_mixture(samples_of(rows), options).on,
            fit_mixture(samples_of(every_second), options).on);
}

TEST(bernoulli_mixture, refuses_no_rows_and_other_variables) {
  data::SampleMatrix empty;
  empty.values = data::BitPanels(3, 0);
  EXPECT_THROW((void)fit_mixture(empty, {}), InputError);
  EXPECT_THROW((void)mean_log_likelihood(two_kinds, empty), InputError);
  EXPECT_THROW((void)mean_log_likelihood(two_kinds, samples_of({"01"})), InputError);
}

TEST(bernoulli_mixture, takes_a_single_row_and_columns_that_never_change) {
  const BernoulliMixture found = fit_mixture(samples_of({"101"}), {});
  EXPECT_EQ(found.n_components(), 1U);
  EXPECT_TRUE(std::isfinite(mean_log_likelihood(found, samples_of({"010"}))));
}

}  // namespace
}  // namespace orrery::learning
