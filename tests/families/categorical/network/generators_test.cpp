#include "families/categorical/network/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

std::string categorical_spec_refusal(const std::string& text) {
  try {
    (void)parse_categorical_design(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CategoricalGenerators, designs_are_read_from_a_text) {
  const CategoricalDesign short_one = parse_categorical_design("categorical:2,3,50");
  EXPECT_EQ(short_one.max_parents, 2U);
  EXPECT_EQ(short_one.n_causes, 3U);
  EXPECT_EQ(short_one.n_observed, 50U);
  EXPECT_EQ(short_one.n_categories, 4U);
  EXPECT_EQ(short_one.cardinality, 2U);
  const CategoricalDesign long_one = parse_categorical_design("categorical:1,5,70,6,3");
  EXPECT_EQ(long_one.n_categories, 6U);
  EXPECT_EQ(long_one.cardinality, 3U);
  EXPECT_TRUE(is_categorical_spec("categorical:x"));
  EXPECT_FALSE(is_categorical_spec("categorical.h5"));
}

TEST(CategoricalGenerators, numbers_out_of_range_are_refused_by_name) {
  const auto expect_refused = [](const std::string& text, const std::string& part) {
    EXPECT_NE(categorical_spec_refusal(text).find(part), std::string::npos)
        << text << ": " << categorical_spec_refusal(text);
  };
  expect_refused("linear:1,3,50", "no categorical network");
  expect_refused("categorical:1,3", "needs 3 values, got \"1,3\"");
  expect_refused("categorical:1,3,5,4,2,1", "needs 5 values");
  expect_refused("categorical:0,3,50", "PARENTS needs a whole number 1 to 3, got \"0\"");
  expect_refused("categorical:4,3,50", "PARENTS needs a whole number 1 to 3, got \"4\"");
  expect_refused("categorical:1,0,50", "CAUSES needs a whole number 1 to 1000, got \"0\"");
  expect_refused("categorical:1,3,0", "VARIABLES needs");
  expect_refused("categorical:1,3,x", "VARIABLES needs");
  expect_refused("categorical:1,3,50,1", "CATEGORIES needs a whole number 2 to 64");
  expect_refused("categorical:1,3,50,65", "CATEGORIES needs");
  expect_refused("categorical:1,3,50,4,1", "CARDINALITY needs");
  expect_refused("categorical:8,8,50,4,8", "at most 16777216 are possible");
  const CategoricalDesign design;
  for (const double concentration : {-1., .5, 1e7, std::nan("")}) {
    CategoricalDesign odd = design;
    odd.concentration = concentration;
    EXPECT_THROW((void)draw_categorical(odd, 1), UsageError);
  }
}

TEST(CategoricalGenerators, rows_are_the_basis_shifted_by_one_for_each_state) {
  CategoricalDesign design = parse_categorical_design("categorical:2,2,40,3,3");
  const CategoricalNetwork network = draw_categorical(design, 5);
  // 1, 1/2, 1/3 sum to 11/6.
  const double basis[] = {6 / 11., 3 / 11., 2 / 11.};
  EXPECT_EQ(network.causes()[0].name, "cause 1");
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_NEAR(network.causes()[1].prior[s], basis[s], 1e-15);
  }
  for (std::size_t i = 0; i < 40; ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    const std::size_t n_rows = variable.parents.size() == 1 ? 3 : 9;
    ASSERT_EQ(variable.table.size(), 3 * n_rows);
    for (std::size_t j = 0; j < n_rows; ++j) {
      for (std::size_t l = 0; l < 3; ++l) {
        EXPECT_NEAR(variable.table[3 * j + (l + j) % 3], basis[l], 1e-15);
      }
    }
  }
  EXPECT_EQ(network.variables()[0].name, "x1");
  EXPECT_EQ(network.variables()[0].categories, (std::vector<std::string>{"0", "1", "2"}));
}

TEST(CategoricalGenerators, numbers_of_parents_are_equally_likely_and_so_are_the_sets) {
  const CategoricalNetwork network =
      draw_categorical(parse_categorical_design("categorical:2,3,6000,2"), 2);
  std::map<std::vector<std::uint32_t>, int> found;
  for (const CategoricalVariable& variable : network.variables()) ++found[variable.parents];
  ASSERT_EQ(found.size(), 6U);
  // Each of the three single causes and of the three pairs has probability 1/6: 1000 of 6000, and
  // five standard deviations of sqrt(6000 5/36) = 28.9.
  for (const auto& [parents, n] : found) EXPECT_NEAR(n, 1000, 5 * 28.9) << parents.size();
}

TEST(CategoricalGenerators, drawn_rows_scatter_around_the_basis_as_a_dirichlet_does) {
  CategoricalDesign design = parse_categorical_design("categorical:1,2,20000,4");
  design.concentration = 10;
  const CategoricalNetwork network = draw_categorical(design, 3);
  // Row 1 of each table: p_l around (.12, .48, .24, .16) with variance p (1 - p) / (10 + 1).
  const double centre[] = {.12, .48, .24, .16};
  for (std::size_t l = 0; l < 4; ++l) {
    double sum = 0;
    double squares = 0;
    for (const CategoricalVariable& variable : network.variables()) {
      sum += variable.table[4 + l];
      squares += std::pow(variable.table[4 + l] - centre[l], 2);
    }
    const double variance = centre[l] * (1 - centre[l]) / 11;
    // Of 20000: 5 sqrt(variance / 20000) of the mean; its kurtosis is below 6 for each of the four,
    // so that squares have a standard error of at most sqrt(5 / 20000) of their mean.
    EXPECT_NEAR(sum / 20000, centre[l], 5 * std::sqrt(variance / 20000));
    EXPECT_NEAR(squares / 20000, variance, 5 * std::sqrt(5. / 20000) * variance);
  }
}

TEST(CategoricalGenerators, graphs_depend_on_the_seed_and_not_on_the_parameters) {
  CategoricalDesign design = parse_categorical_design("categorical:2,4,30");
  const CategoricalNetwork first = draw_categorical(design, 7);
  EXPECT_TRUE(draw_categorical(design, 7) == first);
  EXPECT_FALSE(draw_categorical(design, 8) == first);
  design.concentration = 1;
  const CategoricalNetwork other = draw_categorical(design, 7);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(other.variables()[i].parents, first.variables()[i].parents);
    EXPECT_NE(other.variables()[i].table, first.variables()[i].table);
  }
}

}  // namespace
}  // namespace orrery::model
