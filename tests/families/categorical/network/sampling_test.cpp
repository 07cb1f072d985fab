#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "families/categorical/network/examples.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::model {
namespace {

using namespace categorical_examples;

constexpr std::uint64_t n_categorical_rows = 200'000;

/// P(states of the causes, codes of the row), by the definition.
double probability(const CategoricalNetwork& network, const std::vector<std::size_t>& all) {
  const std::size_t k = network.n_causes();
  double p = 1;
  for (std::size_t c = 0; c < k; ++c) p *= network.causes()[c].prior[all[c]];
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    std::size_t row = 0;
    for (std::size_t a = variable.parents.size(); a-- > 0;) {
      const std::uint32_t parent = variable.parents[a];
      row = row * network.causes()[parent].cardinality() + all[parent];
    }
    p *= variable.table[row * variable.n_categories() + all[k + i]];
  }
  return p;
}

TEST(CategoricalSampling, every_joint_state_is_as_frequent_as_the_network_says) {
  const CategoricalNetwork network = small();
  std::vector<std::uint8_t> states;
  const data::CategoricalTable table =
      sample_categorical(network, 4, 0, n_categorical_rows, 0, &states);
  EXPECT_NO_THROW(data::check(table));
  std::map<std::vector<std::size_t>, double> found;
  for (std::uint64_t n = 0; n < n_categorical_rows; ++n) {
    std::vector<std::size_t> all(states.begin() + static_cast<std::ptrdiff_t>(2 * n),
                                 states.begin() + static_cast<std::ptrdiff_t>(2 * n + 2));
    for (const std::uint8_t code : table.row(n)) all.push_back(code);
    found[all] += 1;
  }
  // 2 x 3 states of the causes by 2 x 3 x 2 x 2 of the variables.
  const std::size_t sizes[] = {2, 3, 2, 3, 2, 2};
  double total = 0;
  for (std::size_t cell = 0; cell < 144; ++cell) {
    std::vector<std::size_t> all;
    for (std::size_t rest = cell; const std::size_t size : sizes) {
      all.push_back(rest % size);
      rest /= size;
    }
    const double p = probability(network, all);
    total += p;
    const double count = found.contains(all) ? found[all] : 0;
    // Five standard deviations of a binomial count; what is impossible never happens.
    EXPECT_NEAR(count, p * double{n_categorical_rows},
                5 * std::sqrt(p * (1 - p) * double{n_categorical_rows}));
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(CategoricalSampling, a_row_is_a_function_of_seed_and_number) {
  const CategoricalNetwork network = small();
  std::vector<std::uint8_t> states;
  const data::CategoricalTable whole = sample_categorical(network, 9, 0, 500, .2, &states);
  for (const auto& [first, n] : {std::pair{0U, 0U}, {0U, 1U}, {123U, 1U}, {100U, 400U}}) {
    std::vector<std::uint8_t> some;
    const data::CategoricalTable part = sample_categorical(network, 9, first, n, .2, &some);
    ASSERT_EQ(part.codes.size(), 4 * n);
    EXPECT_TRUE(std::equal(part.codes.begin(), part.codes.end(), whole.codes.begin() + 4 * first));
    EXPECT_TRUE(std::equal(some.begin(), some.end(), states.begin() + 2 * first));
  }
  EXPECT_FALSE(sample_categorical(network, 10, 0, 500, .2) == whole);
}

TEST(CategoricalSampling, missing_values_leave_the_others_as_they_are) {
  const CategoricalNetwork network = small();
  const data::CategoricalTable whole = sample_categorical(network, 9, 0, n_categorical_rows);
  const data::CategoricalTable gaps = sample_categorical(network, 9, 0, n_categorical_rows, .1);
  double n_missing = 0;
  for (std::size_t e = 0; e < whole.codes.size(); ++e) {
    ASSERT_NE(whole.codes[e], data::missing_code);
    if (gaps.codes[e] == data::missing_code) {
      ++n_missing;
    } else {
      ASSERT_EQ(gaps.codes[e], whole.codes[e]);
    }
  }
  const double n = 4. * n_categorical_rows;
  EXPECT_NEAR(n_missing, .1 * n, 5 * std::sqrt(.09 * n));  // five standard deviations
  for (const std::uint8_t code : sample_categorical(network, 9, 0, 50, 1).codes) {
    EXPECT_EQ(code, data::missing_code);
  }
  EXPECT_THROW((void)sample_categorical(network, 9, 0, 1, 1.5), UsageError);
  EXPECT_THROW((void)sample_categorical(network, 9, 0, 1, std::nan("")), UsageError);
}

}  // namespace
}  // namespace orrery::model
