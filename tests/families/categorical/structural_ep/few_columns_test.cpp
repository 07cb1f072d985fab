// Few columns: equal rows are one with a weight, causes without variables are no part of a network,
// and few numbers of causes are tried.
#include <gtest/gtest.h>

#include <cmath>

#include "families/categorical/network/generators.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "families/categorical/structural_ep/run_state.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::structural_ep {
namespace {

/// One cause of six two-valued columns: 64 kinds of rows at most.
data::CategoricalTable one_cause(std::uint64_t n_rows) {
  const model::CategoricalNetwork network = model::draw_categorical({1, 6, 1}, 5);
  data::CategoricalTable table = model::sample_categorical(network, 5, 0, n_rows, 0);
  for (std::size_t i = 0; i < 6; ++i) table.categories[i] = {"low", "high"};
  for (std::uint8_t& code : table.codes) code = code > 1 ? 1 : 0;
  return table;
}

struct Learned {
  BestStart best;
  model::LearnedCategorical model;
};

Learned learn(const WeightedRows& observed, std::size_t n_causes) {
  const parallel::Team team;
  const learning::RowShare rows(team, 1, observed.table().n_rows);
  Options options;
  options.restarts = 2;
  Learned learned;
  run_starts(observed, rows, n_causes, options, learned.best, [](const BestStart&) {});
  learned.model = infer_network(observed, rows, n_causes, options, learned.best);
  return learned;
}

TEST(FewColumns, a_row_with_a_weight_is_worth_its_copies) {
  const data::CategoricalTable table = one_cause(400);
  const auto distinct = distinct_rows(table);
  ASSERT_TRUE(distinct);
  EXPECT_LE(distinct->table.n_rows, 64U);
  const WeightedRows weighted(distinct->table, distinct->weights);
  EXPECT_EQ(weighted.total(), 400);
  const Learned of_all = learn(table, 1);
  const Learned of_kinds = learn(weighted, 1);
  // The same numbers, summed in another order, through some hundred sweeps.
  EXPECT_NEAR(of_kinds.best.log_evidence, of_all.best.log_evidence, 1e-6);
  EXPECT_NEAR(of_kinds.model.log_evidence, of_all.model.log_evidence, 1e-6);
  EXPECT_NEAR(of_kinds.model.network.causes()[0].prior[0],
              of_all.model.network.causes()[0].prior[0], 1e-9);
  const auto& x = of_kinds.model.network.variables();
  const auto& y = of_all.model.network.variables();
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t l = 0; l < x[i].table.size(); ++l) {
      EXPECT_NEAR(x[i].table[l], y[i].table[l], 1e-7);
    }
  }
}

TEST(FewColumns, rows_that_hardly_repeat_are_left_as_they_are) {
  const model::CategoricalNetwork network = model::draw_categorical({2, 16, 1}, 3);
  EXPECT_FALSE(distinct_rows(model::sample_categorical(network, 3, 0, 400, 0)));
}

TEST(FewColumns, causes_without_variables_are_left_out) {
  const Learned learned =
      learn(model::sample_categorical(model::draw_categorical({1, 6, 1}, 5), 5, 0, 400, 0), 3);
  EXPECT_EQ(learned.model.network.n_causes(), 1U);
  EXPECT_EQ(learned.model.network.n_edges(), 6U);
  ASSERT_EQ(learned.model.parent_sets.size(), 1U);
  for (const double q : learned.model.structure.reshaped()) EXPECT_EQ(q, 1);
  EXPECT_NO_THROW(model::check(learned.model));
  ASSERT_FALSE(learned.model.remarks.empty());
  EXPECT_NE(learned.model.remarks[0].find("2 of 3 causes had no variables"), std::string::npos);
}

TEST(FewColumns, a_number_is_chosen_among_those_of_three_variables_each) {
  Options options;
  options.first_causes = 1;
  options.last_causes = 10;
  options.stops_early = true;
  EXPECT_EQ(for_columns(options, 2).last_causes, 1U);
  EXPECT_EQ(for_columns(options, 4).last_causes, 1U);
  EXPECT_EQ(for_columns(options, 6).last_causes, 2U);
  EXPECT_EQ(for_columns(options, 50).last_causes, 10U);
  options.stops_early = false;  // a range that was given
  EXPECT_EQ(for_columns(options, 4).last_causes, 10U);
}

TEST(FewColumns, rows_are_thinned_evenly) {
  const data::CategoricalTable table = one_cause(25);
  EXPECT_FALSE(thinned(table, 25));
  const auto part = thinned(table, 10);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->n_rows, 9U);  // every third
  for (std::uint64_t n = 0; n < 9; ++n) {
    EXPECT_TRUE(std::ranges::equal(part->row(n), table.row(3 * n)));
  }
}

}  // namespace
}  // namespace orrery::structural_ep
