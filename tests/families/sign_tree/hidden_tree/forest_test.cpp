// The tree from blocks of pairs against Kruskal's method of Boost.Graph and a dense one by Prim,
// with weights of which many are alike.
#include "families/sign_tree/hidden_tree/forest.hpp"

#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <optional>
#include <random>
#include <tuple>

#include "families/sign_tree/hidden_tree/rows.hpp"

namespace orrery::hidden_tree {
namespace {

using Matrix = std::vector<Cells>;  // p x p, the upper triangle
using Pair = std::array<std::uint32_t, 2>;

/// Of few rows: of some 20 variables many pairs have the same weight.
Matrix random_cells(std::mt19937_64& random, std::size_t p) {
  Matrix cells(p * p);
  const auto most_rows = static_cast<std::uint32_t>(1 + random() % 6);
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = a + 1; b < p; ++b) {
      Cells& pair = cells[a * p + b];
      for (std::uint32_t row = 0; row < most_rows; ++row) {
        const std::uint32_t seen = random() % 4 > 0 ? 1 : 0;
        const std::uint32_t x = random() % 2 != 0 ? seen : 0;
        const std::uint32_t y = random() % 2 != 0 ? seen : 0;
        pair.n += seen;
        pair.a_on += x;
        pair.b_on += y;
        pair.both_on += x * y;
      }
    }
  }
  return cells;
}

/// Found a block at a time, from the last to the first, or the reverse.
std::vector<Pair> from_blocks(const Matrix& cells, std::size_t p, std::size_t side, bool back) {
  const Blocks blocks(p, side);
  Forest<UniformWeights> forest(p, {});
  for (std::uint64_t i = 0; i < blocks.size(); ++i) {
    const BlockShape block = blocks.at(back ? blocks.size() - 1 - i : i);
    forest.add_block(block, [&](std::uint32_t r, std::uint32_t c) {
      return cells[(block.first + r) * p + block.other_first + c];
    });
    if (i % 3 == 0) (void)forest.edges();  // merged in between
  }
  std::vector<Pair> pairs;
  for (const Edge& edge : forest.edges()) {
    EXPECT_EQ(edge.cells, cells[edge.a * p + edge.b]);
    pairs.push_back({edge.a, edge.b});
  }
  return pairs;
}

/// Fractions in lowest terms need no rounding: |sum| / n of up to 6 rows times 60.
int sixtieths(const Cells& cells) {
  if (cells.n == 0) return 0;
  return static_cast<int>(60 * std::abs(sum_of_products(cells)) / cells.n);
}

/// The heaviest first, ties by (a, b).
std::vector<Pair> by_boost(const Matrix& cells, std::size_t p) {
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, long>>;
  Graph graph(p);
  for (std::size_t a = 0; a < p; ++a) {
    for (std::size_t b = a + 1; b < p; ++b) {
      const auto tie = static_cast<long>(a * p + b);
      boost::add_edge(a, b, tie - 10'000L * sixtieths(cells[a * p + b]), graph);
    }
  }
  std::vector<boost::graph_traits<Graph>::edge_descriptor> tree;
  boost::kruskal_minimum_spanning_tree(graph, std::back_inserter(tree));
  std::vector<Pair> pairs;
  for (const auto& edge : tree) {
    const auto a = static_cast<std::uint32_t>(source(edge, graph));
    const auto b = static_cast<std::uint32_t>(target(edge, graph));
    pairs.push_back({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

/// Prim's method on the whole matrix; edges by (a, b).
std::vector<Pair> by_prim(const Matrix& cells, std::size_t p) {
  std::vector<bool> in_tree(p, false);
  in_tree[0] = true;
  std::vector<Pair> pairs;
  while (pairs.size() + 1 < p) {
    std::optional<std::tuple<int, std::size_t, std::size_t>> best;
    for (std::size_t a = 0; a < p; ++a) {
      for (std::size_t b = a + 1; b < p; ++b) {
        if (in_tree[a] == in_tree[b]) continue;
        const std::tuple key(-sixtieths(cells[a * p + b]), a, b);
        if (!best || key < *best) best = key;
      }
    }
    const auto [weight, a, b] = *best;
    in_tree[a] = in_tree[b] = true;
    pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
  }
  std::ranges::sort(pairs);
  return pairs;
}

TEST(Forest, is_the_one_of_boost_graph_on_random_weights_with_ties) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    const std::size_t p = 2 + random() % 40;
    const Matrix cells = random_cells(random, p);
    ASSERT_EQ(from_blocks(cells, p, 8 * (1 + random() % 4), random() % 2 != 0), by_boost(cells, p))
        << "round " << round << ", " << p << " variables";
  }
}

TEST(Forest, is_that_of_the_whole_matrix_for_every_side_of_blocks) {
  std::mt19937_64 random(2);
  for (const std::size_t p : {2U, 3U, 8U, 9U, 16U, 17U, 33U, 61U}) {
    const Matrix cells = random_cells(random, p);
    const std::vector<Pair> expected = by_prim(cells, p);
    for (std::size_t side = 8; side <= 72; side += 8) {
      std::vector<Pair> found = from_blocks(cells, p, side, false);
      std::ranges::sort(found);
      EXPECT_EQ(found, expected) << p << " variables, side " << side;
    }
  }
}

TEST(Forest, weights_are_compared_without_rounding) {
  // 1 - 2^-31 and its neighbour: the same float, and nearly the same double products.
  const ExactWeight less{(1U << 31U) - 2, (1U << 31U) - 1};
  const ExactWeight more{(1U << 31U) - 1, 1U << 31U};
  EXPECT_TRUE(less < more);
  EXPECT_FALSE(more < less);
  EXPECT_FALSE((ExactWeight{1, 3} < ExactWeight{2, 6}));
  EXPECT_FALSE((ExactWeight{2, 6} < ExactWeight{1, 3}));
}

TEST(Blocks, hold_every_pair_once) {
  for (const std::size_t p : {2U, 63U, 64U, 65U, 130U, 300U, 9000U}) {
    const Blocks blocks(p);
    std::uint64_t n_pairs = 0;
    for (std::uint64_t unit = 0; unit < blocks.size(); ++unit) {
      const BlockShape block = blocks.at(unit);
      EXPECT_LE(block.first, block.other_first);
      EXPECT_LE(block.other_first + block.other_n, p);
      EXPECT_EQ(block.first % 8 + block.other_first % 8, 0U);
      n_pairs += block.diagonal() ? std::uint64_t{block.n} * (block.n - 1) / 2
                                  : std::uint64_t{block.n} * block.other_n;
    }
    EXPECT_EQ(n_pairs, std::uint64_t{p} * (p - 1) / 2) << p;
  }
}

}  // namespace
}  // namespace orrery::hidden_tree
