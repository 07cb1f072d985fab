// Posteriors of categorical causes against products of table entries, state by state.
#include "families/categorical/network/inference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::model {
namespace {

constexpr std::uint8_t no_code = data::missing_code;

std::vector<double> random_rows(std::mt19937_64& random, std::size_t n_rows, std::size_t n) {
  std::vector<double> table(n_rows * n);
  for (std::size_t j = 0; j < n_rows; ++j) {
    double sum = 0;
    for (std::size_t l = 0; l < n; ++l)
      sum += table[j * n + l] = 1 + static_cast<double>(random() % 1000);
    for (std::size_t l = 0; l < n; ++l) table[j * n + l] /= sum;
  }
  return table;
}

CategoricalVariable variable_of(std::mt19937_64& random, const std::string& name,
                                std::vector<std::uint32_t> parents, std::size_t n_rows,
                                std::size_t n_categories) {
  CategoricalVariable variable{
      name, {}, std::move(parents), random_rows(random, n_rows, n_categories), {}};
  for (std::size_t l = 0; l < n_categories; ++l) variable.categories.push_back(std::to_string(l));
  return variable;
}

/// Causes with 2, 3 and 2 states; two variables share their parents, one has none.
CategoricalNetwork three_causes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<CategoricalCause> causes{{"a", random_rows(random, 1, 2)},
                                       {"b", random_rows(random, 1, 3)},
                                       {"c", random_rows(random, 1, 2)}};
  return {std::move(causes),
          {variable_of(random, "x", {0, 1}, 6, 3), variable_of(random, "y", {1}, 3, 2),
           variable_of(random, "z", {}, 1, 4), variable_of(random, "v", {0, 1, 2}, 12, 2),
           variable_of(random, "w", {0, 1}, 6, 4)}};
}

/// P(a, b, c, codes), written out.
double joint(const CategoricalNetwork& network, std::size_t a, std::size_t b, std::size_t c,
             const std::vector<std::uint8_t>& codes) {
  const auto& causes = network.causes();
  const std::vector<std::size_t> rows{a + 2 * b, b, 0, a + 2 * b + 6 * c, a + 2 * b};
  double p = causes[0].prior[a] * causes[1].prior[b] * causes[2].prior[c];
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    if (codes[i] != no_code) p *= variable.table[rows[i] * variable.n_categories() + codes[i]];
  }
  return p;
}

const std::vector<std::vector<std::uint8_t>> given_rows{
    {0, 0, 0, 0, 0},
    {2, 1, 3, 1, 3},
    {1, no_code, 2, 0, no_code},
    {no_code, 1, no_code, no_code, 2},
    {no_code, no_code, no_code, no_code, no_code}};

TEST(CategoricalInference, equals_products_of_table_entries) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CategoricalNetwork network = three_causes(seed);
    const CategoricalInference inference(network);
    ASSERT_EQ(inference.n_states(), 12U);
    for (const auto& codes : given_rows) {
      std::vector<double> scores(12);
      inference.log_joint(codes, scores);
      std::vector<double> marginals(7, 0);
      double evidence = 0;
      for (std::size_t s = 0; s < 12; ++s) {
        const std::size_t a = s % 2, b = s / 2 % 3, c = s / 6;
        const double p = joint(network, a, b, c, codes);
        EXPECT_NEAR(scores[s], std::log(p), 1e-12);
        marginals[a] += p;
        marginals[2 + b] += p;
        marginals[5 + c] += p;
        evidence += p;
      }
      const CategoricalPosterior found = inference.posterior(codes);
      EXPECT_NEAR(found.log_likelihood, std::log(evidence), 1e-12);
      ASSERT_EQ(found.marginals.size(), 7U);
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_NEAR(found.marginals[i], marginals[i] / evidence, 1e-12);
      }
    }
  }
}

TEST(CategoricalInference, a_row_without_values_has_the_priors_and_likelihood_1) {
  const CategoricalNetwork network = three_causes(3);
  const CategoricalPosterior found = CategoricalInference(network).posterior(given_rows.back());
  EXPECT_NEAR(found.log_likelihood, 0, 1e-14);
  EXPECT_NEAR(found.marginals[3], network.causes()[1].prior[1], 1e-14);
}

TEST(CategoricalInference, an_impossible_row_keeps_the_priors) {
  const CategoricalNetwork network({{"a", {.3, .7}}},
                                   {{"x", {"no", "yes"}, {0}, {1, 0, .5, .5}, {}},
                                    {"y", {"no", "yes"}, {0}, {.5, .5, 1, 0}, {}}});
  const CategoricalInference inference(network);
  const CategoricalPosterior impossible = inference.posterior(std::vector<std::uint8_t>{1, 1});
  EXPECT_EQ(impossible.log_likelihood, -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(impossible.marginals[0], .3, 1e-15);
  EXPECT_NEAR(impossible.marginals[1], .7, 1e-15);
  // Only the second state allows x = yes: its likelihood is .7 * .5 * 1.
  const CategoricalPosterior certain = inference.posterior(std::vector<std::uint8_t>{1, 0});
  EXPECT_EQ(certain.marginals, (std::vector<double>{0, 1}));
  EXPECT_NEAR(certain.log_likelihood, std::log(.35), 1e-14);
}

/// 2,000 variables at 1/64 each: the likelihood is far below the least double.
TEST(CategoricalInference, rows_of_thousands_of_variables_do_not_underflow) {
  std::vector<CategoricalVariable> variables;
  for (std::size_t i = 0; i < 2000; ++i) {
    CategoricalVariable variable{
        fmt::format("x{}", i), {}, {0}, std::vector<double>(128, 1. / 64), {}};
    for (std::size_t l = 0; l < 64; ++l) variable.categories.push_back(std::to_string(l));
    variables.push_back(std::move(variable));
  }
  const CategoricalInference inference({{{"a", {.25, .75}}}, std::move(variables)});
  const CategoricalPosterior found = inference.posterior(std::vector<std::uint8_t>(2000, 63));
  EXPECT_NEAR(found.log_likelihood, -2000 * std::log(64.), 1e-9);
  EXPECT_NEAR(found.marginals[0], .25, 1e-12);
}

TEST(CategoricalInference, more_than_65536_joint_states_are_refused) {
  std::vector<CategoricalCause> causes;
  for (int k = 0; k < 17; ++k) causes.push_back({fmt::format("cause {}", k), {.5, .5}});
  const CategoricalNetwork network(causes, {{"x", {"no", "yes"}, {0}, {.5, .5, .5, .5}, {}}});
  try {
    CategoricalInference inference(network);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("131072"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace orrery::model
