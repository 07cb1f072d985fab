// Structures against all ways of matching causes, likelihoods against sums over joint states.
#include "families/categorical/scores/scores.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "orrery/base/error.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalCause;
using model::CategoricalNetwork;
using model::CategoricalVariable;

using Edges = std::vector<std::vector<bool>>;  // variables x causes

Edges random_edges(std::mt19937_64& random, std::size_t n, std::size_t k, double density) {
  Edges edges(n, std::vector<bool>(k));
  for (auto& row : edges) {
    for (std::size_t c = 0; c < k; ++c)
      row[c] = static_cast<double>(random() % 1000) < 1000 * density;
  }
  return edges;
}

/// Binary, all tables even; variables "x0", "x1", ... from the last to the first if `reversed`.
CategoricalNetwork network_of(const Edges& edges, std::size_t k, bool reversed = false) {
  std::vector<CategoricalCause> causes;
  for (std::size_t c = 0; c < k; ++c) causes.push_back({fmt::format("cause {}", c), {.5, .5}});
  std::vector<CategoricalVariable> variables;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    CategoricalVariable variable{fmt::format("x{}", i), {"no", "yes"}, {}, {}, {}};
    for (std::uint32_t c = 0; c < k; ++c) {
      if (edges[i][c]) variable.parents.push_back(c);
    }
    variable.table.assign(std::size_t{2} << variable.parents.size(), .5);
    variables.push_back(std::move(variable));
  }
  if (reversed) std::ranges::reverse(variables);
  return {std::move(causes), std::move(variables)};
}

/// sum |g - g_true| where learned cause place[c] stands for true cause c; both have as many.
std::uint64_t difference_of(const Edges& truth, const Edges& learned,
                            const std::vector<std::size_t>& place) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t c = 0; c < place.size(); ++c) sum += truth[i][c] != learned[i][place[c]];
  }
  return sum;
}

std::uint64_t least_difference(const Edges& truth, const Edges& learned, std::size_t k) {
  std::vector<std::size_t> place(k);
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::uint64_t least = ~std::uint64_t{0};
  do {
    least = std::min(least, difference_of(truth, learned, place));
  } while (std::ranges::next_permutation(place).found);
  return least;
}

/// With causes without edges added until there are k.
Edges padded(Edges edges, std::size_t k) {
  for (auto& row : edges) row.resize(k, false);
  return edges;
}

TEST(CategoricalScores, difference_is_the_least_over_all_matches) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_true = 1 + random() % 4;
    const std::size_t n_learned = 1 + random() % 4;
    const Edges truth = random_edges(random, 7, n_true, .4);
    const Edges learned = random_edges(random, 7, n_learned, .4);
    const CategoricalScores scores =
        score_categorical(network_of(learned, n_learned, true), network_of(truth, n_true));
    const std::size_t k = std::max(n_true, n_learned);
    ASSERT_EQ(scores.difference, least_difference(padded(truth, k), padded(learned, k), k));
    ASSERT_EQ(scores.match.size(), n_true);
    ASSERT_EQ(scores.n_true_edges, network_of(truth, n_true).n_edges());
    ASSERT_EQ(scores.n_learned_edges, network_of(learned, n_learned).n_edges());
  }
}

TEST(CategoricalScores, a_network_is_itself_whatever_the_order_of_its_causes) {
  const Edges truth{
      {true, false, false}, {true, true, false}, {false, false, true}, {false, false, false}};
  Edges moved = truth;
  for (auto& row : moved) std::rotate(row.begin(), row.begin() + 1, row.end());
  const CategoricalScores scores =
      score_categorical(network_of(moved, 3, true), network_of(truth, 3));
  EXPECT_EQ(scores.match, (std::vector<std::int64_t>{2, 0, 1}));
  EXPECT_EQ(scores.difference, 0U);
  EXPECT_EQ(scores.n_exact_variables, 4U);
}

/// The true causes have 3, 2 and 1 edges; the learned one has the first's and one of the second's.
TEST(CategoricalScores, edges_of_causes_without_partner_count) {
  const Edges truth{
      {true, false, false}, {true, false, false}, {true, true, false}, {false, true, true}};
  const Edges learned{{true}, {true}, {true}, {true}};
  const CategoricalScores scores = score_categorical(network_of(learned, 1), network_of(truth, 3));
  EXPECT_EQ(scores.match, (std::vector<std::int64_t>{0, -1, -1}));
  EXPECT_EQ(scores.difference, 1U + 2U + 1U);
  EXPECT_EQ(scores.n_exact_variables, 2U);
}

TEST(CategoricalScores, variables_that_one_network_lacks_are_named) {
  const CategoricalNetwork three = network_of(Edges(3, {true}), 1);
  const CategoricalNetwork two = network_of(Edges(2, {true}), 1);
  for (const bool more_learned : {true, false}) {
    try {
      (void)score_categorical(more_learned ? three : two, more_learned ? two : three);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'x2'"), std::string::npos) << error.what();
    }
  }
}

/// P(x, y) = sum over u of P(u) P(x|u) P(y|u), one value missing in the third row.
TEST(CategoricalLikelihood, is_the_sum_over_states_of_the_cause) {
  const CategoricalNetwork network({{"u", {.25, .75}}},
                                   {{"x", {"no", "yes"}, {0}, {.9, .1, .2, .8}, {}},
                                    {"y", {"low", "high"}, {0}, {.5, .5, .3, .7}, {}}});
  const data::CategoricalTable table{
      {"y", "x"}, {{"low", "high"}, {"yes", "no"}}, 3, {0, 1, 1, 0, data::missing_code, 0}};
  const std::vector<double> rows{std::log(.25 * .9 * .5 + .75 * .2 * .3),
                                 std::log(.25 * .1 * .5 + .75 * .8 * .7),
                                 std::log(.25 * .1 + .75 * .8)};
  const double mean = (rows[0] + rows[1] + rows[2]) / 3;
  double variance = 0;
  for (const double row : rows) variance += (row - mean) * (row - mean) / 2;
  const CategoricalLikelihood found = categorical_likelihood(network, table);
  EXPECT_NEAR(found.mean, mean, 1e-14);
  EXPECT_NEAR(found.error, std::sqrt(variance / 3), 1e-14);
  EXPECT_EQ(found.n_rows, 3U);
  EXPECT_EQ(found.n_impossible, 0U);
}

/// P(x) = sum over a, b of P(a) P(b) P(x|a,b), with b of three states.
TEST(CategoricalLikelihood, without_causes_variables_keep_their_frequencies) {
  const CategoricalNetwork network(
      {{"a", {.25, .75}}, {"b", {.5, .3, .2}}},
      {{"x", {"no", "yes"}, {0, 1}, {.9, .1, .2, .8, .7, .3, .4, .6, 1, 0, .5, .5}, {}}});
  const CategoricalNetwork alone = without_causes(network);
  EXPECT_EQ(alone.n_causes(), 0U);
  EXPECT_TRUE(alone.variables()[0].parents.empty());
  const double no =
      .25 * .5 * .9 + .75 * .5 * .2 + .25 * .3 * .7 + .75 * .3 * .4 + .25 * .2 * 1 + .75 * .2 * .5;
  EXPECT_NEAR(alone.variables()[0].table[0], no, 1e-15);
  EXPECT_NEAR(alone.variables()[0].table[1], 1 - no, 1e-15);
  const data::CategoricalTable table{{"x"}, {{"no", "yes"}}, 2, {0, 1}};
  EXPECT_NEAR(categorical_likelihood(alone, table).mean,
              categorical_likelihood(network, table).mean, 1e-15);
}

TEST(CategoricalLikelihood, impossible_rows_are_counted) {
  const CategoricalNetwork network({{"u", {.5, .5}}}, {{"x", {"no", "yes"}, {}, {1, 0}, {}}});
  const CategoricalLikelihood found =
      categorical_likelihood(network, {{"x"}, {{"no", "yes"}}, 3, {0, 1, 1}});
  EXPECT_EQ(found.mean, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.n_impossible, 2U);
  EXPECT_TRUE(std::isnan(found.error));
  EXPECT_THROW((void)categorical_likelihood(network, {{"x"}, {{"no", "yes"}}, 0, {}}), InputError);
}

}  // namespace
}  // namespace orrery::categorical
