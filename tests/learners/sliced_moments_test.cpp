// Samples read in slices against the same samples in memory: every count, and every learned byte.
#include "learners/sliced_moments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "learners/planted.hpp"
#include "learners/run_learner.hpp"
#include "learners/sampled.hpp"
#include "orrery/learners/load.hpp"
#include "orrery/store/store.hpp"

namespace orrery::learners {
namespace {

constexpr std::size_t n_rows = 150'000;  // three blocks, the last of them short

class Sliced : public testing::Test {
 protected:
  Sliced() {
    log::configure(log::Level::quiet, true);
    std::mt19937_64 random(4);
    planted::Ranges ranges;
    ranges.min_observed = ranges.max_observed = 21;
    ranges.min_causes = ranges.max_causes = 3;
    ranges.min_children = ranges.max_children = 7;
    network_ = planted::network(random, ranges);
    const data::BitPanels values = draw(network_, 4, n_rows);
    store::SampleWriter writer(path_);
    writer.begin(names_of(network_));
    data::BitColumns missing(21, 65'536);
    for (std::size_t row = 0; row < n_rows; row += 65'536) {
      const std::size_t n = std::min<std::size_t>(65'536, n_rows - row);
      data::BitColumns block = values.extract(row, n);
      data::BitColumns mask(21, n);
      for (std::size_t i = 0; i < 100; ++i) {  // a hundred rows of each block are not usable
        const std::size_t missing_row = 37 * i + row / 65'536;
        mask.set(missing_row, i % 21);
        block.column(i % 21)[missing_row / 64] &= ~(std::uint64_t{1} << (missing_row % 64));
      }
      writer.append(block, &mask);
    }
    writer.finish({});
  }
  ~Sliced() override { std::filesystem::remove(path_); }

  Samples load(std::size_t memory_bytes) {
    Checkpoints none;
    std::vector<Stage> stages;
    return load_samples(lone_team(), 2, path_.string(), memory_bytes, {}, none, stages);
  }
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("sliced{}.h5", ::getpid());
  model::NoisyOrNetwork network_;
};

TEST_F(Sliced, counts_of_slices_are_those_of_the_whole) {
  const Samples whole = load(0);
  ASSERT_NE(whole.matrix, nullptr);
  EXPECT_EQ(whole.matrix->n_samples(), n_rows - 300);
  for (const int way : {0, 1, 2}) {
    const RowSlices slices = way < 2 ? RowSlices(lone_team(), path_, way == 1)
                                     : RowSlices(lone_team(), whole.matrix->values);
    Checkpoints none;
    std::vector<Stage> stages;
    const auto pairs =
        way < 2 ? count_sliced_pairs(lone_team(), 2, slices, path_.string(), none, stages)
                : whole.moments->counts();
    EXPECT_EQ(pairs.n_samples, n_rows - 300);
    EXPECT_EQ(pairs.off, whole.moments->counts().off);
    SlicedMoments sliced(lone_team(), 2, slices, pairs, 1 << 20);
    std::vector<std::array<std::uint32_t, 4>> sets;
    for (std::uint32_t x = 2; x < 20; ++x) {
      sets.push_back({0, x, 20, moments::no_variable});
      sets.push_back({1, x, 0, 20});
    }
    sliced.prepare(sets);
    for (std::uint32_t x = 2; x < 20; ++x) {
      EXPECT_EQ(sliced.triple(0, x, 20), whole.moments->triple(0, x, 20));
      EXPECT_EQ(sliced.quartet(20, 0, x, 1), whole.moments->quartet(0, 1, x, 20));
    }
    const std::array<std::array<std::uint32_t, 2>, 3> chosen{{{0, 3}, {3, 20}, {7, 12}}};
    sliced.prepare_pairs(chosen);
    for (const auto& [first, last] : {std::pair{0U, 21U}, {5U, 18U}, {16U, 17U}}) {
      const auto of_slices = sliced.triples_of_pairs(chosen, first, last);
      const auto of_whole = whole.moments->triples_of_pairs(chosen, first, last);
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        for (std::size_t x = first; x < last; ++x) {
          if (x == chosen[k][0] || x == chosen[k][1]) continue;
          const double expected = whole.moments->triple(chosen[k][0], chosen[k][1], x);
          EXPECT_EQ(of_slices[k][x - first], expected) << k << ' ' << x;
          EXPECT_EQ(of_whole[k][x - first], expected) << k << ' ' << x;
        }
      }
    }
  }
}

TEST_F(Sliced, walkers_give_what_was_counted_ahead) {
  const Samples whole = load(0);
  const RowSlices slices(lone_team(), path_, true);
  SlicedMoments sliced(lone_team(), 2, slices, whole.moments->counts(), 1 << 20);
  const std::vector<std::uint64_t> all{~std::uint64_t{0}};
  const std::vector<std::uint64_t> some{0b1'0000'1001'0001'1000'0000};
  ASSERT_TRUE(sliced.count_triples(std::vector<moments::TripleRequest>{{2, all}, {5, all}}));
  std::vector<moments::QuartetRequest> requests(1);
  requests[0] = {2, 5, all, some};
  ASSERT_TRUE(sliced.count_quartets(requests));
  const auto of_slices = sliced.walker();
  const auto of_whole = whole.moments->walker();
  moments::TripleSlab slab_2;
  moments::TripleSlab slab_5;
  moments::TripleSlab expected_2;
  moments::TripleSlab expected_5;
  of_slices->triples(2, all, slab_2);
  of_slices->triples(5, all, slab_5);
  of_whole->triples(2, all, expected_2);
  of_whole->triples(5, all, expected_5);
  for (std::size_t x = 6; x < 21; ++x) {
    for (std::size_t y = x + 1; y < 21; ++y) {
      EXPECT_EQ(slab_2.moments(x)[y], expected_2.moments(x)[y]);
      EXPECT_EQ(slab_5.counts(x)[y], expected_5.counts(x)[y]);
    }
  }
  of_slices->select_pair(2, 5, slab_2, slab_5, some);
  of_whole->select_pair(2, 5, expected_2, expected_5, some);
  for (const std::size_t c : {7, 8, 12, 15}) {
    const double* expected = of_whole->quartets(c);
    const double* found = of_slices->quartets(c);
    for (const std::size_t d : {8, 12, 15, 20}) {
      if (d > c) {
        EXPECT_EQ(found[d], expected[d]) << c << ' ' << d;
      }
    }
  }
}

// A budget of one byte makes a batch of nearly every unit of pairs.
TEST_F(Sliced, a_model_learned_from_slices_is_the_same_to_the_last_bit) {
  const Samples whole = load(0);
  const auto expected = learn_quartet(*whole.moments, whole.names, {"--test", "rank", "--tau-e", "0.01"});
  ASSERT_GT(expected.network.n_causes(), 0U);
  for (const std::size_t budget_bytes : {std::size_t{1}, std::size_t{1} << 24U}) {
    const RowSlices slices(lone_team(), path_, budget_bytes == 1);
    const SlicedMoments sliced(lone_team(), 2, slices, whole.moments->counts(), budget_bytes);
    const auto found = learn_quartet(sliced, whole.names, {"--test", "rank", "--tau-e", "0.01"}, 3);
    ASSERT_EQ(found.network.n_causes(), expected.network.n_causes());
    for (std::size_t u = 0; u < found.network.n_causes(); ++u) {
      EXPECT_EQ(found.network.causes()[u].prior, expected.network.causes()[u].prior);
      EXPECT_EQ(found.provenance[u].statistic, expected.provenance[u].statistic);
      EXPECT_EQ(found.provenance[u].quartet, expected.provenance[u].quartet);
      for (std::size_t x = 0; x < 21; ++x) {
        EXPECT_EQ(found.network.failure(u, x), expected.network.failure(u, x));
      }
    }
  }
}

}  // namespace
}  // namespace orrery::learners
