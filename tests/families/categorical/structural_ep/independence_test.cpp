// Variables without causes: what they are worth, beside sums over all states of the causes; and
// which edges are left out of a network.
#include "families/categorical/structural_ep/independence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "families/categorical/network/generators.hpp"
#include "families/categorical/network/inference.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::structural_ep {
namespace {

/// Columns "a", "b", ... of two categories, given by rows.
data::CategoricalTable bits(std::size_t n_columns, const std::vector<std::uint8_t>& codes) {
  data::CategoricalTable table;
  for (std::size_t i = 0; i < n_columns; ++i) {
    table.names.emplace_back(1, static_cast<char>('a' + i));
    table.categories.push_back({"0", "1"});
  }
  table.n_rows = codes.size() / n_columns;
  table.codes = codes;
  return table;
}

TEST(Independence, of_a_column_is_the_product_of_what_each_value_is_predicted_with) {
  // Laplace's rule with a prior count of 2: 2/4, 3/5, 2/6, 4/7; the missing value is passed over.
  const auto table = bits(1, {1, 1, data::missing_code, 0, 1});
  EXPECT_NEAR(independent_evidence(table, 0, 2), std::log(2. / 4 * 3 / 5 * 2 / 6 * 4 / 7), 1e-12);
  const auto variable = independent_variable(table, 0, 2);
  EXPECT_EQ(variable.counts, (std::vector<double>{3, 5}));
  EXPECT_EQ(variable.table, (std::vector<double>{.375, .625}));
  EXPECT_TRUE(variable.parents.empty());
}

TEST(Independence, rows_count_by_their_weights) {
  const auto kinds = bits(1, {0, 1});
  const std::vector<double> weights{3, 2};
  EXPECT_NEAR(independent_evidence(WeightedRows(kinds, weights), 0, 1),
              independent_evidence(bits(1, {0, 1, 0, 1, 0}), 0, 1), 1e-12);
}

TEST(Independence, a_network_without_causes_has_the_evidence_of_its_columns) {
  const auto table = bits(2, {0, 1, 1, 1, 0, 1});
  const model::LearnedCategorical learned = independent_network(table, 1);
  EXPECT_EQ(learned.network.n_causes(), 0U);
  EXPECT_EQ(learned.network.n_edges(), 0U);
  // 1/2 1/3 2/4, and 1/2 2/3 3/4.
  EXPECT_NEAR(learned.log_evidence, std::log(1. / 12 * 1 / 4), 1e-12);
  EXPECT_NO_THROW(model::check(learned));
  const model::CategoricalInference inference(learned.network);
  // Posterior means: (3/5, 2/5) and (1/5, 4/5).
  EXPECT_NEAR(inference.posterior(std::vector<std::uint8_t>{0, 1}).log_likelihood,
              std::log(.6 * .8), 1e-12);
}

/// log p(column i | states of one cause in each row), parameters integrated out.
double exact_with_states(const data::CategoricalTable& table, std::size_t i,
                         const std::vector<std::uint8_t>& states) {
  std::vector<double> seen(4, 1.0);  // by state and value, with the prior's
  double log = 0;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::size_t row = 2 * std::size_t{states[n]};
    log += std::log(seen[row + table.row(n)[i]] / (seen[row] + seen[row + 1]));
    seen[row + table.row(n)[i]] += 1;
  }
  return log;
}

// One cause whose state is known in each row: the bound of a variable's set is then exact, and the
// gain of independence is the exact log Bayes factor. All columns of six rows.
TEST(Independence, gains_are_exact_bayes_factors_where_the_cause_is_known) {
  const std::vector<std::uint8_t> states{0, 0, 0, 1, 1, 1};
  bool any_dependent = false;
  bool any_independent = false;
  for (std::uint32_t pattern = 0; pattern < 64; ++pattern) {
    std::vector<std::uint8_t> codes;
    for (std::size_t n = 0; n < 6; ++n) {
      codes.insert(codes.end(), {states[n], static_cast<std::uint8_t>(pattern >> n & 1U)});
    }
    const auto table = bits(2, codes);
    const parallel::Team team;
    const learning::RowShare rows(team, 1, table.n_rows);
    Approximation approximation(make_shape(1, 2, 1, {2, 2}), table, rows, 1);
    for (std::size_t n = 0; n < 6; ++n) approximation.hold_cause(n, 0, states[n]);
    approximation.hold_structure({0, 0});
    IterateOptions held;
    held.max_sweeps = held.held_sweeps = 30;
    iterate(approximation, held);
    const auto bounds = StructureBounds(approximation).of_sets(8);
    const auto gains = independence_gains(table, 1, bounds);
    ASSERT_EQ(gains.size(), 2U);
    const double exact = independent_evidence(table, 1, 1) - exact_with_states(table, 1, states);
    EXPECT_NEAR(gains[1], exact, 1e-9) << pattern;
    any_dependent = any_dependent || exact < 0;
    any_independent = any_independent || exact > 0;
  }
  EXPECT_TRUE(any_dependent && any_independent);
}

// Where the cause is not known, the bound is below the sum over all of its states.
TEST(Independence, gains_are_no_less_than_the_bayes_factor_where_the_cause_is_not_known) {
  const auto table = bits(3, {0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  const parallel::Team team;
  const learning::RowShare rows(team, 1, table.n_rows);
  Approximation approximation(make_shape(1, 2, 1, {2, 2, 2}), table, rows, 1);
  const Start start{{0, 0, 0}, {{0, 0, 1, 1, 0, 1}}};
  begin_from(start, approximation);
  approximation.hold_structure({0, 0, 0});
  IterateOptions held;
  held.max_sweeps = held.held_sweeps = 50;
  iterate(approximation, held);
  const auto bounds = StructureBounds(approximation).of_sets(8);
  const auto gains = independence_gains(table, 1, bounds);
  // The states' probabilities without column i: of its messages. Sum over all 2^6 states.
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::uint32_t u = 0; u < 64; ++u) {
      std::vector<std::uint8_t> states;
      double weight = 1;
      for (std::size_t n = 0; n < 6; ++n) {
        states.push_back(static_cast<std::uint8_t>(u >> n & 1U));
        RowBeliefs& beliefs = approximation.beliefs(0);
        const RowView view = approximation.view(n);
        beliefs.gather(view, false);
        weight *= beliefs.states_without(view, i, 0)[states[n]];
      }
      sum += weight * std::exp(exact_with_states(table, i, states));
    }
    const double exact = independent_evidence(table, i, 1) - std::log(sum);
    EXPECT_GE(gains[i], exact - 1e-9);
    EXPECT_NEAR(gains[i], exact, 1.5);
  }
}

/// Twelve columns of one cause, and "tea" that does not depend on it.
data::CategoricalTable with_tea(std::uint64_t n_rows) {
  auto table = model::sample_categorical(model::draw_categorical({1, 12, 1}, 5), 5, 0, n_rows, 0);
  data::CategoricalTable wider;
  wider.names = table.names;
  wider.names.emplace_back("tea");
  wider.categories = table.categories;
  wider.categories.push_back({"no", "yes", "often"});
  wider.n_rows = n_rows;
  for (std::uint64_t n = 0; n < n_rows; ++n) {
    const auto row = table.row(n);
    wider.codes.insert(wider.codes.end(), row.begin(), row.end());
    wider.codes.push_back(static_cast<std::uint8_t>(RowRandom(9, Stream::restart, n).below(3)));
  }
  return wider;
}

model::LearnedCategorical learn_one_cause(const data::CategoricalTable& table, bool drops_edges) {
  const parallel::Team team;
  const learning::RowShare rows(team, 1, table.n_rows);
  Options options;
  options.drops_edges = drops_edges;
  options.restarts = 1;
  BestStart best;
  run_starts(table, rows, 1, options, best, [](const BestStart&) {});
  return infer_network(table, rows, 1, options, best);
}

TEST(Independence, a_variable_of_its_own_gets_no_parents_and_true_edges_stay) {
  const auto table = with_tea(300);
  const auto learned = learn_one_cause(table, true);
  EXPECT_TRUE(learned.network.variables()[12].parents.empty());
  EXPECT_EQ(learned.network.variables()[12].table, independent_variable(table, 12, 1).table);
  EXPECT_EQ(learned.network.n_edges(), 12U);
  ASSERT_EQ(learned.parent_sets, (std::vector<std::vector<std::uint32_t>>{{}, {0}}));
  EXPECT_GT(learned.structure(12, 0), .5);
  for (int i = 0; i < 12; ++i) EXPECT_GT(learned.structure(i, 1), .5);
  ASSERT_EQ(learned.remarks.size(), 1U);
  EXPECT_EQ(learned.remarks[0].find("tea does not depend on any cause"), 0U);
  EXPECT_NO_THROW(model::check(learned));
}

TEST(Independence, a_number_of_causes_that_was_given_keeps_all_edges_and_a_remark_tells) {
  const auto learned = learn_one_cause(with_tea(300), false);
  EXPECT_EQ(learned.network.n_edges(), 13U);
  EXPECT_EQ(learned.parent_sets.size(), 1U);
  ASSERT_EQ(learned.remarks.size(), 1U);
  EXPECT_NE(learned.remarks[0].find("auto leaves such edges out"), std::string::npos);
}

// A number of causes may win the race by chance.
TEST(Independence, a_network_all_of_whose_edges_go_has_no_cause) {
  // Every row of three bits as often as any other.
  std::vector<std::uint8_t> codes;
  for (std::uint32_t n = 0; n < 240; ++n) {
    for (std::uint32_t i = 0; i < 3; ++i) codes.push_back(n >> i & 1U);
  }
  const auto table = bits(3, codes);
  const auto learned = learn_one_cause(table, true);
  EXPECT_EQ(learned.network.n_causes(), 0U);
  EXPECT_TRUE(learned.parent_sets.empty());
  EXPECT_EQ(learned.log_evidence, independent_network(table, 1).log_evidence);
  ASSERT_EQ(learned.remarks.size(), 1U);
  EXPECT_EQ(learned.remarks[0].find("no cause found"), 0U);
  EXPECT_NO_THROW(model::check(learned));
}

TEST(Independence, a_remark_names_some_of_many) {
  EXPECT_EQ(independence_remark({}, true), "");
  EXPECT_EQ(independence_remark({"a", "b"}, true),
            "a, b do not depend on any cause: their answers differ no more between states than "
            "chance makes them");
  const auto many = independence_remark(std::vector<std::string>(11, "x"), true);
  EXPECT_NE(many.find("x, x and 3 more do not"), std::string::npos);
}

}  // namespace
}  // namespace orrery::structural_ep
