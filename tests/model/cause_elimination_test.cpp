#include "model/cause_elimination.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "model/anchored_oracle.hpp"
#include "model/clique_tree.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using oracle::bit;
using oracle::no_weights;
using oracle::random_causes;
using oracle::random_weights;
using oracle::sum_of;
using oracle::table_of;
using oracle::weighed_states;
using Set = std::vector<std::uint32_t>;

template <class Check>
void for_each_example(const Check& check) {
  for (std::uint32_t n = 1; n <= 8; ++n) {
    for (std::size_t in_degree = 0; in_degree <= 3; ++in_degree) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE(testing::Message() << n << " causes, " << in_degree << " parents, " << seed);
        check(random_causes(seed, n, in_degree), random_weights(seed, n), seed);
      }
    }
  }
}

Set members_of(std::size_t chosen) {
  Set set;
  for (std::uint32_t i = 0; chosen >> i != 0; ++i) {
    if (bit(chosen, i)) set.push_back(i);
  }
  return set;
}

TEST(CauseElimination, sums_and_tables_of_random_networks_agree_with_enumeration) {
  for_each_example(
      [](const CauseNetwork& causes, const std::vector<CauseWeight>& weights, std::uint64_t seed) {
        const CauseElimination elimination(causes);
        const std::vector<double> states = weighed_states(causes, weights);
        const double expected = sum_of(states);
        EXPECT_NEAR(elimination.expectation(weights), expected, 1e-12 * expected);
        const std::size_t chosen = (seed * 37 + 11) % states.size();
        const Set set = members_of(chosen);
        const std::vector<double> cells = elimination.table(set, weights);
        const std::vector<double> expected_cells = table_of(states, set);
        ASSERT_EQ(cells.size(), expected_cells.size());
        for (std::size_t c = 0; c < cells.size(); ++c) {
          EXPECT_NEAR(cells[c], expected_cells[c], 1e-12 * expected);
        }
      });
}

TEST(CauseElimination, posteriors_of_random_networks_agree_with_enumeration) {
  for_each_example([](const CauseNetwork& causes, const std::vector<CauseWeight>& weights,
                      std::uint64_t /*seed*/) {
    const std::vector<double> states = weighed_states(causes, weights);
    const std::vector<double> posteriors = CauseElimination(causes).posteriors(weights);
    ASSERT_EQ(posteriors.size(), causes.n_causes());
    for (std::uint32_t i = 0; i < posteriors.size(); ++i) {
      EXPECT_NEAR(posteriors[i], table_of(states, Set{i})[1] / sum_of(states), 1e-12);
    }
  });
}

// y_0 certain, y_1 a copy of it, y_2 its contrary: sums of 0 on every way up and down.
TEST(CauseElimination, probabilities_of_zero_and_one_divide_nothing_by_zero) {
  const CauseNetwork causes({{{}, {1}}, {{0}, {0, 1}}, {{0}, {1, 0}}, {{1, 2}, {.1, .2, .3, .4}}});
  const CauseElimination elimination(causes);
  EXPECT_EQ(elimination.posteriors(no_weights(4)), (std::vector<double>{1, 1, 0, .2}));
  const std::vector<CauseWeight> impossible{{1, 1}, {1, 0}, {1, 1}, {1, 1}};
  EXPECT_EQ(elimination.expectation(impossible), 0);
  EXPECT_THROW((void)elimination.posteriors(impossible), InputError);
  EXPECT_EQ(elimination.table(Set{1, 2}, no_weights(4)), (std::vector<double>{0, 1, 0, 0}));
}

TEST(CauseElimination, no_cause_at_all_sums_to_one) {
  const CauseElimination elimination{CauseNetwork()};
  EXPECT_EQ(elimination.expectation({}), 1);
  EXPECT_TRUE(elimination.posteriors({}).empty());
  EXPECT_TRUE(elimination.is_feasible());
}

CauseNetwork chain(std::uint32_t n) {
  std::vector<CauseTable> tables{{{}, {.3}}};
  for (std::uint32_t i = 1; i < n; ++i) tables.push_back({{i - 1}, {.2, .7}});
  return CauseNetwork(tables);
}

CauseNetwork star(std::uint32_t n) {
  std::vector<CauseTable> tables{{{}, {.3}}};
  for (std::uint32_t i = 1; i < n; ++i) tables.push_back({{0}, {.2, .7}});
  return CauseNetwork(tables);
}

// Of a chain, the two-state recursion; the sum, near 3^-2000 in size, is beyond a double.
TEST(CauseElimination, a_chain_of_two_thousand_agrees_with_its_recursion) {
  const std::uint32_t n = 2000;
  const CauseElimination elimination(chain(n));
  EXPECT_EQ(elimination.width(), 2U);
  const std::vector<CauseWeight> weights(n, CauseWeight{.1, .4});
  std::array<double, 2> state{.7 * .1, .3 * .4};
  for (std::uint32_t i = 1; i < n; ++i) {
    state = {(state[0] * .8 + state[1] * .3) * .1, (state[0] * .2 + state[1] * .7) * .4};
    const double sum = state[0] + state[1];
    state = {state[0] / sum, state[1] / sum};
  }
  EXPECT_NEAR(elimination.posteriors(weights).back(), state[1], 1e-12);
  EXPECT_EQ(elimination.expectation(weights), 0);  // it underflows, and is not garbage
}

TEST(CauseElimination, a_star_of_two_thousand_agrees_with_its_formula) {
  const std::uint32_t n = 2000;
  const CauseElimination elimination(star(n));
  EXPECT_EQ(elimination.width(), 2U);
  std::vector<CauseWeight> weights(n, CauseWeight{1, .999});
  const double expected =
      .7 * std::pow(1 - .2 * .001, n - 1) + .3 * .999 * std::pow(1 - .7 * .001, n - 1);
  EXPECT_NEAR(elimination.expectation(weights), expected, 1e-12);
}

TEST(CauseElimination, min_fill_gives_a_cycle_three_members_and_a_grid_few) {
  // y_0 -> y_1 -> ... -> y_7 <- y_0: the moral graph is a cycle with the chord 0 - 6.
  std::vector<CauseTable> cycle{{{}, {.5}}};
  for (std::uint32_t i = 1; i < 7; ++i) cycle.push_back({{i - 1}, {.2, .7}});
  cycle.push_back({{0, 6}, {.1, .2, .3, .4}});
  EXPECT_EQ(CauseElimination(CauseNetwork(cycle)).width(), 3U);
  // A 5 x 5 grid has treewidth 5; its moral graph's diagonals add at most one.
  std::vector<CauseTable> grid(25);
  for (std::uint32_t i = 0; i < 25; ++i) {
    if (i >= 5) grid[i].parents.push_back(i - 5);
    if (i % 5 != 0) grid[i].parents.push_back(i - 1);
    grid[i].on.assign(std::size_t{1} << grid[i].parents.size(), .5);
  }
  const CauseElimination elimination{CauseNetwork(grid)};
  EXPECT_LE(elimination.width(), 7U);
  EXPECT_NEAR(elimination.expectation(no_weights(25)), 1, 1e-12);
}

// What the fills are by the definition, at every step.
TEST(CauseElimination, the_order_is_of_least_fill_then_of_lowest_number) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::uint32_t n = 12;
    const CauseNetwork causes = random_causes(seed, n, 3);
    std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
    for (std::uint32_t i = 0; i < n; ++i) {
      Set family = causes.tables()[i].parents;
      family.push_back(i);
      for (const std::uint32_t a : family) {
        for (const std::uint32_t b : family) joined[a][b] = a != b;
      }
    }
    std::vector<bool> gone(n, false);
    for (const Set& clique : min_fill_order(causes, 20).cliques) {
      std::uint32_t best = 0;
      std::size_t least = ~std::size_t{0};
      for (std::uint32_t i = 0; i < n; ++i) {
        std::size_t fill = 0;
        for (std::uint32_t a = 0; a < n; ++a) {
          for (std::uint32_t b = a + 1; b < n; ++b) {
            if (!gone[a] && !gone[b] && joined[i][a] && joined[i][b] && !joined[a][b]) ++fill;
          }
        }
        if (!gone[i] && fill < least) {
          least = fill;
          best = i;
        }
      }
      ASSERT_EQ(clique.front(), best);
      Set neighbours;
      for (std::uint32_t a = 0; a < n; ++a) {
        if (!gone[a] && joined[best][a]) neighbours.push_back(a);
      }
      for (const std::uint32_t a : neighbours) {
        for (const std::uint32_t b : neighbours) joined[a][b] = a != b;
      }
      gone[best] = true;
      Set rest(clique.begin() + 1, clique.end());
      std::ranges::sort(rest);
      EXPECT_EQ(rest, neighbours);
    }
  }
}

// Tables of more than 1,024 cells take both lists of a message's cells.
TEST(CauseElimination, wide_tables_agree_with_those_of_a_family) {
  std::vector<CauseTable> tables(14, CauseTable{{}, {.25}});
  RowRandom random(5, Stream::check, 0);
  for (std::uint32_t child : {12U, 13U}) {
    for (std::uint32_t i = 0; i < child; ++i) tables[child].parents.push_back(i);
    tables[child].on.resize(std::size_t{1} << child);
    for (double& on : tables[child].on) on = random.uniform();
  }
  const CauseNetwork causes(tables);
  const CauseElimination elimination(causes);
  EXPECT_EQ(elimination.width(), 14U);
  const std::vector<CauseWeight> weights = random_weights(6, 14);
  const std::vector<double> states = weighed_states(causes, weights);
  const double sum = sum_of(states);
  EXPECT_NEAR(elimination.expectation(weights), sum, 1e-12 * sum);
  const std::vector<double> posteriors = elimination.posteriors(weights);
  for (std::uint32_t i = 0; i < 14; ++i) {
    EXPECT_NEAR(posteriors[i], table_of(states, Set{i})[1] / sum, 1e-12);
  }
}

TEST(CauseElimination, refuses_what_is_too_wide_with_what_to_use_instead) {
  const CauseElimination elimination(random_causes(1, 300, 4));
  EXPECT_FALSE(elimination.is_feasible());
  EXPECT_GT(elimination.width(), CauseElimination::max_width);
  try {
    (void)elimination.expectation(no_weights(300));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fewer parents"), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery::model
