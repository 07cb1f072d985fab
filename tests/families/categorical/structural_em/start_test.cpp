// Random starts, and what is asked of data before anything is learned.
#include "families/categorical/structural_em/start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "families/categorical/structural_em/cases.hpp"
#include "learning/categorical_inputs.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_em {
namespace {

using model::CategoricalNetwork;

TEST(StructuralEmStart, is_the_full_network_and_a_function_of_seed_and_restart) {
  const data::CategoricalTable table = drawn("categorical:1,2,5", 1, 20);
  for (const StartKind kind : {StartKind::products, StartKind::rows}) {
    const CategoricalNetwork one = random_start(table, 3, 2, kind, 7, 0, "data");
    EXPECT_EQ(one.n_edges(), 15U);
    EXPECT_EQ(one.names(), table.names);
    EXPECT_EQ(one, random_start(table, 3, 2, kind, 7, 0, "data"));
    EXPECT_NE(one, random_start(table, 3, 2, kind, 7, 1, "data"));
    EXPECT_NE(one, random_start(table, 3, 2, kind, 8, 0, "data"));
  }
}

/// Whatever the other cause does, a state of cause 0 multiplies the odds of two categories by the
/// same ratio. What keeps tables positive (1e-6 of a row) moves it a little.
TEST(StructuralEmStart, causes_of_products_have_effects_of_their_own) {
  const data::CategoricalTable table = drawn("categorical:1,2,5", 1, 20);
  const auto log_odds = [](const CategoricalNetwork& network, std::size_t row) {
    const std::vector<double>& values = network.variables()[3].table;
    return std::log(values[4 * row] / values[4 * row + 1]);
  };
  const auto interaction = [&](StartKind kind) {
    const CategoricalNetwork network = random_start(table, 2, 2, kind, 7, 0, "data");
    return std::abs(log_odds(network, 3) - log_odds(network, 2) - log_odds(network, 1) +
                    log_odds(network, 0));
  };
  EXPECT_LT(interaction(StartKind::products), 1e-2);
  EXPECT_GT(interaction(StartKind::rows), .1);
}

std::string refusal(const data::CategoricalTable& table, std::size_t n_causes) {
  try {
    learning::require_learnable(table, n_causes, "data.h5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CategoricalInputs, rows_and_columns_that_teach_nothing_are_named) {
  constexpr std::uint8_t missing = data::missing_code;
  const data::CategoricalTable good{
      {"x", "y"}, {{"a", "b"}, {"a", "b"}}, 3, {0, 1, 1, 0, 0, missing}};
  EXPECT_EQ(refusal(good, 2), "");
  EXPECT_NE(refusal(good, 3).find("--causes 3 of 2 columns"), std::string::npos);
  data::CategoricalTable bad = good;
  bad.codes = {0, 1, 1, 1, 0, missing};
  EXPECT_NE(refusal(bad, 1).find("column 'y' has the same value"), std::string::npos);
  bad.codes = {0, missing, 1, missing, 0, missing};
  EXPECT_NE(refusal(bad, 1).find("column 'y' has no value"), std::string::npos);
  bad.codes = {0, 1, missing, missing, 1, 0};
  EXPECT_NE(refusal(bad, 1).find("row 1"), std::string::npos);
  bad = {{"x"}, {{"a", "b"}}, 1, {0}};
  EXPECT_NE(refusal(bad, 1).find("1 row;"), std::string::npos);
}

}  // namespace
}  // namespace orrery::structural_em
