// Expected counts against sums over joint states, scores against closed forms, EM against its
// bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "families/categorical/structural_em/cases.hpp"
#include "families/categorical/structural_em/em.hpp"
#include "families/categorical/structural_em/start.hpp"

namespace orrery::structural_em {
namespace {

using model::CategoricalNetwork;

/// Three causes with three states and full tables, four variables, a tenth of the values missing.
struct Case {
  Given given{drawn("categorical:2,3,4,3,3", 1, 200, .1)};
  CategoricalNetwork network = random_start(given.table, 3, 3, StartKind::rows, 7, 0, "data");
};

TEST(StructuralEmCounts, are_sums_of_posteriors_over_joint_states) {
  const Case one;
  const ExpectedCounts counts = expected_counts(one.network, one.given.data());
  const auto joint = joint_counts(one.network, one.given.data(), 1, 3);
  std::vector<double> second_cause(3, 0), table_of_2(27 * 3, 0);
  for (std::uint64_t n = 0; n < one.given.table.n_rows; ++n) {
    const auto codes = one.given.table.row(n);
    const std::vector<double> p = joint_probabilities(one.network, codes);
    double sum = 0;
    for (const double value : p) sum += value;
    for (std::size_t u = 0; u < 27; ++u) {
      second_cause[u / 3 % 3] += p[u] / sum;
      // All three causes are parents: a joint state is a row of the table.
      if (codes[2] != data::missing_code) table_of_2[u * 3 + codes[2]] += p[u] / sum;
    }
  }
  EXPECT_NEAR(counts.log_likelihood, log_likelihood(one.network, one.given.table), 1e-9);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(counts.causes[1][s], second_cause[s], 1e-9);
  for (std::size_t u = 0; u < 27; ++u) {
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_NEAR(counts.variables[2][u * 3 + l], table_of_2[u * 3 + l], 1e-9);
      EXPECT_NEAR(joint[1][l * 27 + u], table_of_2[u * 3 + l], 1e-9);
    }
  }
}

TEST(StructuralEmCounts, go_to_the_rows_of_the_parents_that_there_are) {
  const Case one;
  std::vector<model::CategoricalVariable> variables = one.network.variables();
  variables[0].parents = {2};
  variables[0].table.assign({.2, .3, .5, .1, .1, .8, .6, .2, .2});
  variables[1].parents = {};
  variables[1].table.assign({.2, .3, .5});
  const CategoricalNetwork network(one.network.causes(), variables);
  const ExpectedCounts counts = expected_counts(network, one.given.data());
  std::vector<double> of_0(9, 0), of_1(3, 0);
  for (std::uint64_t n = 0; n < one.given.table.n_rows; ++n) {
    const auto codes = one.given.table.row(n);
    const std::vector<double> p = joint_probabilities(network, codes);
    double sum = 0;
    for (const double value : p) sum += value;
    for (std::size_t u = 0; u < 27; ++u) {
      if (codes[0] != data::missing_code) of_0[u / 9 * 3 + codes[0]] += p[u] / sum;
    }
    if (codes[1] != data::missing_code) ++of_1[codes[1]];
  }
  for (std::size_t e = 0; e < 9; ++e) EXPECT_NEAR(counts.variables[0][e], of_0[e], 1e-9);
  for (std::size_t e = 0; e < 3; ++e) EXPECT_NEAR(counts.variables[1][e], of_1[e], 1e-9);
}

/// The probability of a sequence with whole counts, one draw after another: each category has its
/// pseudocount and what was drawn of it before.
double log_of_sequence(const std::vector<int>& counts, double alpha) {
  double sum = 0;
  double n = alpha * static_cast<double>(counts.size());
  for (const int count : counts) {
    for (int c = 0; c < count; ++c) sum += std::log((alpha + c) / n++);
  }
  return sum;
}

TEST(StructuralEmScore, a_full_completion_has_the_dirichlet_multinomial_probability) {
  for (const double alpha : {.5, 1.0, 3.0}) {
    const double expected = log_of_sequence({3, 0, 2}, alpha) + log_of_sequence({0, 0, 0}, alpha) +
                            log_of_sequence({1, 7, 4}, alpha);
    EXPECT_NEAR(log_marginal(std::vector<double>{3, 0, 2, 0, 0, 0, 1, 7, 4}, 3, alpha), expected,
                1e-12);
  }
}

/// Causes that nothing depends on leave the rows complete: the score is log P(D|G) exactly, each
/// variable's Dirichlet-multinomial, whatever the tables are.
TEST(StructuralEmScore, is_the_marginal_likelihood_where_nothing_is_hidden) {
  const data::CategoricalTable table{
      {"x", "y"}, {{"a", "b"}, {"a", "b", "c"}}, 4, {0, 2, 1, 1, 0, data::missing_code, 0, 2}};
  const Given given(table);
  const CategoricalNetwork network(
      {{"u", {.5, .5}}},
      {{"x", {"a", "b"}, {}, {.6, .4}, {}}, {"y", {"a", "b", "c"}, {}, {.2, .3, .5}, {}}});
  const ScoreSettings settings{ScoreKind::cheeseman_stutz, 1};
  const ExpectedCounts counts = expected_counts(network, given.data());
  // The cause's own part: expected counts of 2 and 2, though none was drawn.
  const double of_cause = log_of_sequence({2, 2}, 1) - 4 * std::log(.5);
  EXPECT_NEAR(score_of(network, counts, 4, settings),
              log_of_sequence({3, 1}, 1) + log_of_sequence({0, 1, 2}, 1) + of_cause, 1e-12);
}

TEST(StructuralEmScore, bic_takes_half_a_log_of_the_rows_for_each_free_number) {
  const Case one;
  const ExpectedCounts counts = expected_counts(one.network, one.given.data());
  // Three causes with 2 free numbers each, four variables with 27 rows of 2.
  const double n_free = 3 * 2 + 4 * 27 * 2;
  EXPECT_NEAR(score_of(one.network, counts, 200, {ScoreKind::bic, 1}),
              log_likelihood(one.network, one.given.table) - .5 * std::log(200.) * n_free, 1e-9);
}

TEST(StructuralEmFit, each_pass_raises_the_penalised_likelihood) {
  const Given given(drawn("categorical:2,3,12", 3, 300, .1));
  for (const double alpha : {.1, 1.0, 5.0}) {
    Fit fit;
    fit.network = random_start(given.table, 3, 2, StartKind::rows, 5, 0, "data");
    const FitSettings settings{{ScoreKind::cheeseman_stutz, alpha}, 60, 1e-12};
    double before = -std::numeric_limits<double>::infinity();
    while (!fit.is_done) {
      advance(given.data(), settings, fit);
      ASSERT_GT(fit.objective, before - 1e-9) << alpha << ' ' << fit.n_passes;
      before = fit.objective;
    }
    EXPECT_EQ(fit.n_passes, 61U);
    EXPECT_NEAR(fit.objective,
                penalised_likelihood(fit.network, log_likelihood(fit.network, given.table), alpha),
                1e-8);
  }
}

TEST(StructuralEmFit, ends_where_the_tables_are_the_posterior_means_of_their_counts) {
  const Given given(drawn("categorical:1,2,6", 3, 300));
  Fit fit;
  fit.network = random_start(given.table, 2, 2, StartKind::rows, 5, 0, "data");
  const FitSettings settings{{ScoreKind::cheeseman_stutz, 1}, 100000, 1e-14};
  while (!fit.is_done) advance(given.data(), settings, fit);
  EXPECT_TRUE(fit.has_converged);
  const ExpectedCounts counts = expected_counts(fit.network, given.data());
  const CategoricalNetwork next = maximise(fit.network, counts, 1);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& variable = next.variables()[i];
    for (std::size_t e = 0; e < variable.table.size(); ++e) {
      EXPECT_NEAR(variable.table[e], fit.network.variables()[i].table[e], 1e-4);
      EXPECT_NEAR(variable.counts[e], counts.variables[i][e] + 1, 1e-12);
    }
  }
}

TEST(StructuralEmFit, threads_give_the_same_bytes) {
  const data::CategoricalTable table = drawn("categorical:2,3,12", 3, 1000, .1);
  const Given alone(table, 1), shared(table, 3);
  const CategoricalNetwork network = random_start(table, 3, 2, StartKind::rows, 5, 0, "data");
  const ExpectedCounts one = expected_counts(network, alone.data());
  const ExpectedCounts three = expected_counts(network, shared.data());
  EXPECT_EQ(one.log_likelihood, three.log_likelihood);
  EXPECT_EQ(one.variables, three.variables);
  EXPECT_EQ(one.causes, three.causes);
}

}  // namespace
}  // namespace orrery::structural_em
