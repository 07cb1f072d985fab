// The assumptions of linear networks, against what going over everything says.
#include "families/linear/network/expansion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Set = std::vector<std::uint32_t>;

Set union_of(const Bipartite& graph, const Set& causes) {
  std::set<std::uint32_t> found;
  for (const std::uint32_t j : causes) {
    found.insert(graph.children[j].begin(), graph.children[j].end());
  }
  return {found.begin(), found.end()};
}

Set members(std::uint32_t bits) {
  Set set;
  for (std::uint32_t j = 0; j < 32; ++j) {
    if ((bits >> j & 1U) != 0) set.push_back(j);
  }
  return set;
}

/// n x k with a loading of `draw` where an edge falls, each with the given probability.
template <class Draw>
MatrixXd random_loadings(Index n, Index k, double theta, std::uint64_t number, const Draw& draw) {
  RowRandom random(20130616, Stream::check, number);
  MatrixXd loadings = MatrixXd::Zero(n, k);
  for (Index j = 0; j < k; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (random.uniform() < theta) loadings(i, j) = draw(random);
    }
  }
  return loadings;
}
double one(RowRandom& /*random*/) { return 1; }
double generic(RowRandom& random) {
  return (random.uniform() + 0.5) * (random.below(2) == 0 ? 1 : -1);
}

// ------------------------------------------------------------------------------------- expansion

/// The least |N(S)| - |S| over all sets of two or more.
std::ptrdiff_t least_expansion(const Bipartite& graph) {
  std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
  for (std::uint32_t bits = 0; bits < 1U << graph.children.size(); ++bits) {
    if (std::popcount(bits) < 2) continue;
    const Set set = members(bits);
    least = std::min(least, static_cast<std::ptrdiff_t>(union_of(graph, set).size()) -
                                static_cast<std::ptrdiff_t>(set.size()));
  }
  return least;
}

void expect_right(const Bipartite& graph, const Expansion& found) {
  const std::ptrdiff_t least = least_expansion(graph);
  ASSERT_GE(found.set.size(), 2U);
  EXPECT_TRUE(std::is_sorted(found.set.begin(), found.set.end()));
  EXPECT_EQ(found.neighbours, union_of(graph, found.set));
  EXPECT_EQ(static_cast<std::ptrdiff_t>(found.neighbours.size()) -
                static_cast<std::ptrdiff_t>(found.set.size()),
            least);
  EXPECT_EQ(found.holds, least >= static_cast<std::ptrdiff_t>(found.largest_degree));
}

TEST(Expansion, least_set_is_that_of_all_subsets) {
  std::size_t n_held = 0;
  std::size_t n_large = 0;  // sets that counting pairs does not find
  for (std::uint64_t number = 0; number < 2000; ++number) {
    SCOPED_TRACE(number);
    const auto k = static_cast<Index>(2 + number % 9);
    const auto n = static_cast<Index>(1 + number * 7 % 25);
    const double theta = 0.05 + 0.1 * static_cast<double>(number % 8);
    const Bipartite graph = bipartite_of(random_loadings(n, k, theta, number, one));
    const Expansion found = check_expansion(graph);
    expect_right(graph, found);
    n_held += found.holds ? 1 : 0;
    n_large += found.set.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(n_held, 100U);
  EXPECT_GT(n_large, 500U);
}

TEST(Expansion, sets_of_many_causes_crowded_in_few_variables_are_found) {
  // Causes 3 to 8 have the same three pairs of six variables, twice; every pair alone expands.
  for (std::uint64_t number = 0; number < 200; ++number) {
    RowRandom random(7, Stream::check, number);
    Bipartite graph{30, {}};
    for (int j = 0; j < 10; ++j) {
      std::set<std::uint32_t> children;
      const std::uint32_t room = j >= 3 && j < 9 ? 8 : 30;
      while (children.size() < 4) children.insert(static_cast<std::uint32_t>(random.below(room)));
      graph.children.emplace_back(children.begin(), children.end());
    }
    SCOPED_TRACE(number);
    expect_right(graph, check_expansion(graph));
  }
}

TEST(Expansion, a_ternary_tree_expands_and_twins_do_not) {
  Bipartite tree{9, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}};
  const Expansion expands = check_expansion(tree);
  EXPECT_TRUE(expands.holds);
  EXPECT_EQ(expands.largest_degree, 3U);
  EXPECT_EQ(expands.set, (Set{0, 1}));  // 6 - 2 = 4, 9 - 3 = 6
  EXPECT_EQ(expands.neighbours, (Set{0, 1, 2, 3, 4, 5}));
  tree.children.push_back({6, 7});
  const Expansion twins = check_expansion(tree);
  EXPECT_FALSE(twins.holds);
  EXPECT_EQ(twins.set, (Set{2, 3}));
  EXPECT_EQ(twins.neighbours, (Set{6, 7, 8}));
}

TEST(Expansion, fewer_than_two_causes_have_no_set) {
  for (const Bipartite& graph :
       {Bipartite{}, Bipartite{4, {}}, Bipartite{4, {{0, 2}}}, Bipartite{1, {{}}}}) {
    const Expansion found = check_expansion(graph);
    EXPECT_TRUE(found.holds);
    EXPECT_TRUE(found.set.empty() && found.neighbours.empty());
  }
  EXPECT_EQ(check_expansion({4, {{0, 2}}}).largest_degree, 2U);
  const Expansion childless = check_expansion({2, {{}, {}}});
  EXPECT_FALSE(childless.holds);  // 0 >= 2 + 0
  EXPECT_EQ(childless.set, (Set{0, 1}));
}

TEST(Expansion, a_hundred_causes_take_no_time_to_speak_of) {
  // The least set is known: a clique of variables that 30 causes crowd in.
  MatrixXd loadings = random_loadings(1000, 100, 0.02, 1, one);
  for (const double theta : {0.02, 0.2}) {
    loadings = random_loadings(1000, 100, theta, 1, one);
    for (Index j = 40; j < 70; ++j) {
      loadings.col(j).setZero();
      for (Index i = 0; i < 12; ++i) loadings((j * 5 + i * 7 * (j % 3 + 1)) % 23, j) = 1;
    }
    const Bipartite graph = bipartite_of(loadings);
    const Expansion found = check_expansion(graph);
    EXPECT_FALSE(found.holds);
    EXPECT_EQ(found.set.front(), 40U);
    EXPECT_EQ(found.set.size(), 30U);
    EXPECT_EQ(found.neighbours, union_of(graph, found.set));
  }
}

TEST(Expansion, graph_of_loadings_has_the_edges_that_are_not_0) {
  MatrixXd loadings(3, 2);
  loadings << 0, 1e-300, -2, 0, 0, 5;
  const Bipartite graph = bipartite_of(loadings);
  EXPECT_EQ(graph.n_observed, 3U);
  EXPECT_EQ(graph.children, (std::vector<Set>{{1}, {0, 2}}));
}

// ------------------------------------------------------------------------------------------ rank

MatrixXd rows_of(const MatrixXd& matrix, const Set& rows) {
  MatrixXd chosen(static_cast<Index>(rows.size()), matrix.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chosen.row(static_cast<Index>(i)) = matrix.row(rows[i]);
  }
  return chosen;
}

/// Is there a partition in three of full column rank each? All of them are looked at.
bool has_three_blocks(const MatrixXd& loadings) {
  const auto n = static_cast<std::uint32_t>(loadings.rows());
  std::vector<bool> spans(std::size_t{1} << n);
  for (std::uint32_t bits = 0; bits < spans.size(); ++bits) {
    const MatrixXd rows = rows_of(loadings, members(bits));
    spans[bits] =
        rows.rows() >= rows.cols() && linalg::pivoted_columns_of(rows, 1e-12).rank == rows.cols();
  }
  const std::uint32_t whole = (1U << n) - 1;
  for (std::uint32_t a = 0; a <= whole; ++a) {
    if (!spans[a]) continue;
    const std::uint32_t rest = whole & ~a;
    for (std::uint32_t b = rest; b != 0; b = (b - 1) & rest) {
      if (spans[b] && spans[rest & ~b]) return true;
    }
  }
  return false;
}

void expect_sound_blocks(const MatrixXd& loadings, const RankCondition& found) {
  std::set<std::uint32_t> dealt;
  std::size_t n_dealt = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Set& block : found.blocks) {
    EXPECT_TRUE(std::is_sorted(block.begin(), block.end()));
    dealt.insert(block.begin(), block.end());
    n_dealt += block.size();
    const auto values = linalg::singular_values_of(rows_of(loadings, block));
    least = std::min(least, values.minCoeff());
  }
  EXPECT_EQ(n_dealt, static_cast<std::size_t>(loadings.rows()));
  EXPECT_EQ(dealt.size(), n_dealt);
  EXPECT_NEAR(found.least_singular_value, least, 1e-12);
  EXPECT_GT(least, 1e-9);
}

void expect_right_rank(const MatrixXd& loadings, std::size_t& n_held, std::size_t& n_by_graph) {
  const RankCondition found = check_rank(loadings);
  ASSERT_EQ(found.holds, has_three_blocks(loadings)) << loadings;
  if (found.holds) {
    ++n_held;
    EXPECT_TRUE(found.set.empty() && found.neighbours.empty());
    expect_sound_blocks(loadings, found);
    return;
  }
  for (const Set& block : found.blocks) EXPECT_TRUE(block.empty());
  if (found.set.empty()) return;
  ++n_by_graph;
  EXPECT_EQ(found.neighbours, union_of(bipartite_of(loadings), found.set));
  EXPECT_LT(found.neighbours.size(), 3 * found.set.size());
}

TEST(RankCondition, holds_if_and_only_if_some_partition_has_full_rank) {
  std::size_t n_held = 0;
  std::size_t n_by_graph = 0;
  std::size_t n_trials = 0;
  // Loadings of 1 and of -1, 1, 2 are dependent in many ways; generic ones only by the graph.
  const auto few = [](RowRandom& random) {
    constexpr double values[] = {-1, 1, 2};
    return values[random.below(3)];
  };
  for (std::uint64_t number = 0; number < 250; ++number) {
    SCOPED_TRACE(number);
    const auto k = static_cast<Index>(1 + number % 3);
    const Index n = 3 * k + static_cast<Index>(number % 2);
    const double theta = 0.4 + 0.1 * static_cast<double>(number % 7);
    expect_right_rank(random_loadings(n, k, theta, number, one), n_held, n_by_graph);
    expect_right_rank(random_loadings(n, k, theta, number, few), n_held, n_by_graph);
    expect_right_rank(random_loadings(n, k, theta, number, generic), n_held, n_by_graph);
    n_trials += 3;
  }
  EXPECT_GT(n_held, 150U);
  EXPECT_GT(n_by_graph, 150U);
  EXPECT_GT(n_trials - n_held - n_by_graph, 50U);  // by the numbers
}

TEST(RankCondition, rows_change_blocks_until_all_are_regular) {
  // Full of edges, and of rank two in every block but a few: (1, t, t^2) for t of 0, 1, 2, thrice.
  MatrixXd loadings(9, 3);
  for (Index i = 0; i < 9; ++i) {
    const double t = static_cast<double>(i / 3) + 1;  // the same t thrice in a row
    loadings.row(i) << 1, t, t * t;
  }
  const RankCondition found = check_rank(loadings);
  ASSERT_TRUE(found.holds);
  expect_sound_blocks(loadings, found);
  loadings.row(8) = loadings.row(0);  // t = 3 is there but twice
  EXPECT_FALSE(check_rank(loadings).holds);
  EXPECT_TRUE(check_rank(loadings).set.empty());
}

TEST(RankCondition, nearly_dependent_loadings_give_regular_blocks_or_none) {
  std::size_t n_held = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    SCOPED_TRACE(number);
    // Of rank two, but for differences of about the tolerance.
    const double near = std::pow(10.0, -6 - static_cast<double>(number % 8));
    const MatrixXd loadings = random_loadings(13, 2, 1, number, generic) *
                                  random_loadings(2, 4, 1, number + 1000, generic) +
                              near * random_loadings(13, 4, 1, number + 2000, generic);
    const RankCondition found = check_rank(loadings);
    EXPECT_TRUE(found.set.empty());
    if (!found.holds) continue;
    ++n_held;
    expect_sound_blocks(loadings, found);
  }
  EXPECT_GT(n_held, 50U);
  EXPECT_LT(n_held, 250U);
}

TEST(RankCondition, too_few_variables_are_named_as_the_set) {
  const MatrixXd loadings = random_loadings(11, 4, 1, 3, generic);
  const RankCondition found = check_rank(loadings);
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.set, (Set{0, 1, 2, 3}));
  EXPECT_EQ(found.neighbours.size(), 11U);
  // One cause with two variables among many with enough.
  MatrixXd sparse = MatrixXd::Zero(12, 3);
  sparse.col(0).head(4).setConstant(1);
  sparse(4, 1) = sparse(5, 1) = 1;
  sparse.col(2).tail(5).setConstant(1);
  EXPECT_EQ(check_rank(sparse).set, (Set{1}));
  EXPECT_EQ(check_rank(sparse).neighbours, (Set{4, 5}));
}

TEST(RankCondition, no_cause_needs_nothing) {
  const RankCondition found = check_rank(MatrixXd(5, 0));
  EXPECT_TRUE(found.holds);
  EXPECT_EQ(found.blocks[0].size() + found.blocks[1].size() + found.blocks[2].size(), 5U);
  EXPECT_TRUE(check_rank(MatrixXd(0, 0)).holds);
  EXPECT_FALSE(check_rank(MatrixXd(0, 2)).holds);
}

// ------------------------------------------------------------------------------------ genericity

/// Does v violate Definition 2.4? In whole numbers.
bool violates(const MatrixXd& loadings, const Eigen::VectorXd& v) {
  Set support;
  for (Index j = 0; j < v.size(); ++j) {
    if (v[j] != 0) support.push_back(static_cast<std::uint32_t>(j));
  }
  if (support.size() < 2) return false;
  const auto n_other = static_cast<std::size_t>(
      ((loadings * v).array().abs() > 1e-9 * (loadings.cwiseAbs() * v.cwiseAbs()).array()).count());
  return n_other + support.size() <= union_of(bipartite_of(loadings), support).size();
}

/// The smallest support of whole numbers up to `most` that violates it: its size; 0: none.
std::size_t smallest_violation(const MatrixXd& loadings, int most) {
  const Index k = loadings.cols();
  Eigen::VectorXd v = Eigen::VectorXd::Constant(k, -most);
  std::size_t smallest = 0;
  while (true) {
    const auto size = static_cast<std::size_t>((v.array() != 0).count());
    if ((smallest == 0 || size < smallest) && violates(loadings, v)) smallest = size;
    Index j = 0;
    while (j < k && v[j] == most) v[j++] = -most;
    if (j == k) return smallest;
    v[j] += 1;
  }
}

/// Whole numbers; in the first k rows, if `planted`, the causes' sum is 0.
MatrixXd small_loadings(Index n, Index k, double theta, bool planted, std::uint64_t number) {
  const auto few = [](RowRandom& random) {
    constexpr double values[] = {-3, -2, -1, 1, 2, 3};
    return values[random.below(6)];
  };
  MatrixXd loadings = random_loadings(n, k, theta, number, few);
  if (planted) loadings.topRows(k).col(0) = -loadings.topRows(k).rightCols(k - 1).rowwise().sum();
  return loadings;
}

TEST(Genericity, violations_are_those_that_small_vectors_show) {
  std::size_t n_violated[5] = {};
  std::size_t n_held = 0;
  for (std::uint64_t number = 0; number < 800; ++number) {
    SCOPED_TRACE(number);
    const auto k = static_cast<Index>(2 + number % 3);
    const Index n = k + static_cast<Index>(number / 3 % 4);
    const double theta = 0.5 + 0.1 * static_cast<double>(number % 5);
    const MatrixXd loadings = small_loadings(n, k, theta, number % 2 == 0, number);
    const std::size_t expected = smallest_violation(loadings, k == 4 ? 3 : 6);
    const Genericity found = check_genericity(loadings);
    if (found.holds) {
      ASSERT_EQ(expected, 0U) << loadings;
      ++n_held;
      EXPECT_EQ(found.largest_set, static_cast<std::size_t>(k));
      EXPECT_EQ(found.direction.size(), 0);
      continue;
    }
    ++n_violated[found.set.size()];
    EXPECT_TRUE(expected == 0 || found.set.size() <= expected) << loadings;
    EXPECT_EQ(found.largest_set, found.set.size() - 1);
    EXPECT_TRUE(violates(loadings, found.direction)) << loadings << '\n' << found.direction;
    for (Index j = 0; j < k; ++j) {
      const bool is_in = std::find(found.set.begin(), found.set.end(), j) != found.set.end();
      EXPECT_EQ(found.direction[j] != 0, is_in);
    }
  }
  EXPECT_GT(n_held, 100U);
  EXPECT_GT(n_violated[2], 100U);
  EXPECT_GT(n_violated[3], 50U);
  EXPECT_GT(n_violated[4], 20U);
}

TEST(Genericity, equal_rows_violate_it_for_many_causes_at_once) {
  // v = (1, 1, -2) and all others of sum 0 vanish in three variables: a kernel of two dimensions.
  MatrixXd loadings(5, 3);
  loadings << 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0;
  MatrixXd of_two = loadings;
  of_two.row(1).setZero();
  of_two.row(2).setZero();
  const Genericity found = check_genericity(loadings);
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.set, (Set{0, 1}));  // any two vanish in all three
  EXPECT_TRUE(check_genericity(of_two).holds);
  // Only three together: each pair has one variable alone.
  MatrixXd together(6, 3);
  together << 1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  together.row(0) << 1, 2, 1;
  together.row(1) << 1, 1, 3;
  together.row(2) << 2, 3, 4;  // the sum of the two
  const Genericity sum = check_genericity(together);
  EXPECT_FALSE(sum.holds);
  EXPECT_EQ(sum.set, (Set{0, 1, 2}));
  EXPECT_NEAR((together.topRows(3) * sum.direction).norm(), 0, 1e-12);
}

TEST(Genericity, generic_loadings_have_it_as_far_as_is_looked) {
  const MatrixXd loadings = random_loadings(30, 8, 0.4, 5, generic);
  const Genericity whole = check_genericity(loadings, 200'000);
  EXPECT_TRUE(whole.holds);
  EXPECT_GE(whole.largest_set, 3U);
  const Genericity pairs = check_genericity(loadings, 28 + 28 * 12);
  EXPECT_TRUE(pairs.holds);
  EXPECT_EQ(pairs.largest_set, 2U);
  EXPECT_EQ(check_genericity(loadings, 5).largest_set, 1U);
  EXPECT_EQ(check_genericity(loadings.leftCols(1)).largest_set, 1U);
  EXPECT_EQ(check_genericity(MatrixXd(4, 0)).largest_set, 0U);
}

}  // namespace
}  // namespace orrery::model
