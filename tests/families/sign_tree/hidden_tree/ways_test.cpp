// However pairs are counted, the tree is the same; and what decides how.
#include "families/sign_tree/hidden_tree/rows.hpp"
#include "families/sign_tree/hidden_tree/search.hpp"
#include "families/sign_tree/hidden_tree/trees.hpp"
#include "moments/pair_counts.hpp"
#include "orrery/base/error.hpp"

namespace orrery::hidden_tree {
namespace {

using trees::Engine;

data::BitPanels random_mask(Engine& engine, std::size_t p, std::size_t n_rows, double share) {
  data::BitPanels mask(p, n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t a = 0; a < p; ++a) mask.set(row, a, trees::uniform(engine) < share);
  }
  return mask;
}

data::BitPanels without(data::BitPanels values, const data::BitPanels& mask) {
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    for (std::size_t a = 0; a < values.n_columns(); ++a) {
      if (mask.at(row, a)) values.set(row, a, false);
    }
  }
  return values;
}

/// Row by row.
Cells plain_cells(const data::BitPanels& values, const data::BitPanels* missing, std::size_t a,
                  std::size_t b) {
  Cells cells;
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    if (missing != nullptr && (missing->at(row, a) || missing->at(row, b))) continue;
    ++cells.n;
    cells.a_on += values.at(row, a) ? 1U : 0U;
    cells.b_on += values.at(row, b) ? 1U : 0U;
    cells.both_on += values.at(row, a) && values.at(row, b) ? 1U : 0U;
  }
  return cells;
}

/// The edges found, the heaviest first, by this way.
std::vector<Edge> edges_by(const std::string& path, Way way, std::size_t batch_bytes, int threads,
                           const moments::PairCounts* stored = nullptr) {
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::DataContext context{
      learning::lone_team(), threads, 1, path, nullptr, 0, stored, stages, checkpoints};
  Rows rows = load(context);
  rows.way = way;
  rows.batch_bytes = batch_bytes;
  return find_tree(context, rows, UniformWeights{}, "tree");
}

TEST(Ways, count_what_is_there_row_by_row) {
  Engine engine(3);
  const std::size_t p = 75;
  for (const bool misses : {false, true}) {
    const data::BitPanels drawn =
        trees::draw(engine, trees::random_tree(engine, p, .2, .8, .1), 333);
    const data::BitPanels mask = random_mask(engine, p, 333, misses ? .3 : 0);
    const data::BitPanels values = without(drawn, mask);
    const trees::File file(values, misses ? &mask : nullptr);
    const std::vector<Edge> edges = edges_by(file.path(), Way::tiles, 0, 1);
    ASSERT_EQ(edges.size(), p - 1);
    for (const Edge& edge : edges) {
      EXPECT_EQ(edge.cells, plain_cells(values, misses ? &mask : nullptr, edge.a, edge.b));
    }
    // Of all pairs, not only those of the tree: the heaviest one is the first edge.
    const UniformWeights weights;
    for (std::uint32_t a = 0; a < p; ++a) {
      for (std::uint32_t b = a + 1; b < p; ++b) {
        const Cells cells = plain_cells(values, misses ? &mask : nullptr, a, b);
        EXPECT_FALSE(weights(edges[0].cells) < weights(cells));
      }
    }
  }
}

TEST(Ways, give_the_same_edges) {
  Engine engine(4);
  const std::size_t p = 210;  // several blocks
  for (const bool misses : {false, true}) {
    const data::BitPanels drawn =
        trees::draw(engine, trees::random_tree(engine, p, .1, .9, .2), 70'001);
    const data::BitPanels mask = random_mask(engine, p, 70'001, misses ? .1 : 0);
    const trees::File file(without(drawn, mask), misses ? &mask : nullptr);
    const std::vector<Edge> expected = edges_by(file.path(), Way::tiles, 0, 1);
    ASSERT_EQ(expected.size(), p - 1);
    EXPECT_EQ(edges_by(file.path(), Way::tiles, 0, 3), expected);
    EXPECT_EQ(edges_by(file.path(), Way::samples, std::size_t{1} << 30U, 2), expected);
    EXPECT_EQ(edges_by(file.path(), Way::samples, 1, 2), expected);  // a block per pass
    if (!misses) {
      const moments::PairCounts pairs = moments::count_pairs(drawn);
      EXPECT_EQ(edges_by(file.path(), Way::tiles, 0, 2, &pairs), expected);
    }
  }
}

TEST(Ways, sparse_columns_are_counted_by_their_ones) {
  Engine engine(5);
  const std::size_t p = 700;
  const std::size_t n = 30'000;
  data::BitPanels values(p, n);
  for (std::size_t a = 0; a < p; ++a) {
    for (int i = 0; i < 30; ++i) values.set(engine() % n, a, true);
  }
  const trees::File file(values);
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::DataContext context{
      learning::lone_team(), 1, 1, file.path(), nullptr, 0, nullptr, stages, checkpoints};
  Rows rows = load(context);
  rows.way = Way::tiles;
  const std::vector<Edge> found = find_tree(context, rows, FreeWeights{}, "tree");
  EXPECT_TRUE(std::ranges::any_of(stages, [](const Stage& s) { return s.name == "pairs"; }));
  rows.way = Way::samples;
  rows.batch_bytes = std::size_t{1} << 30U;
  EXPECT_EQ(find_tree(context, rows, FreeWeights{}, "tree"), found);
}

TEST(Ways, memory_that_is_short_changes_nothing) {
#ifdef ORRERY_SANITIZED
  GTEST_SKIP() << "sanitizers keep what was freed";
#endif
  Engine engine(6);
  const data::BitPanels values =
      trees::draw(engine, trees::random_tree(engine, 400, .2, .8, .1), 70'000);
  const trees::File file(values);
  const model::LearnedTree expected = trees::learn(file.path(), {"--crossover", "auto"});
  const std::size_t used = learning::resident_bytes();
  const std::size_t bits = 400 * 70'000 / 8;
  for (const std::size_t more : {14U, 20U, 40U}) {
    trees::expect_same(
        trees::learn(file.path(), {"--crossover", "auto"}, 1, used + bits + (more << 20U)),
        expected);
  }
  EXPECT_THROW((void)trees::learn(file.path(), {}, 1, used + (1U << 20U)), UsageError);
}

TEST(Ways, memory_decides_how_rows_are_held) {
  const Split split{2000, 4'000'000, false, 1, 4, 1};  // 1 GB of bits
  const std::size_t gb = 1'000'000'000;
  EXPECT_EQ(plan_memory(split, 0, gb, "x").hold, learning::Hold::whole);
  EXPECT_EQ(plan_memory(split, 3 * gb, gb, "x").hold, learning::Hold::whole);
  const MemoryPlan dealt = plan_memory(split, 3 * gb / 2 + gb / 3, gb, "x");
  EXPECT_EQ(dealt.hold, learning::Hold::dealt);
  EXPECT_EQ(dealt.way, Way::samples);
  EXPECT_EQ(plan_memory(split, gb + gb / 4, gb, "x").hold, learning::Hold::read_again);
  EXPECT_THROW((void)plan_memory(split, gb, gb, "x"), UsageError);
}

TEST(Ways, the_cheaper_one_follows_the_shape) {
  // Few variables and many rows over hosts: counts are less than bits. Many variables: the reverse.
  const Split tall{100, 100'000'000, false, 4, 8, 2};
  EXPECT_LT(seconds_by_samples(tall), seconds_by_tiles(tall));
  const Split wide{20'000, 10'000, false, 4, 8, 2};
  EXPECT_LT(seconds_by_tiles(wide), seconds_by_samples(wide));
  // One block of pairs gives work to one thread only.
  const Split one_block{60, 10'000'000, false, 1, 1, 8};
  EXPECT_LT(seconds_by_samples(one_block), seconds_by_tiles(one_block));
}

}  // namespace
}  // namespace orrery::hidden_tree
