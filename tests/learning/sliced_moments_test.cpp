// Samples read in slices against the same samples in memory: every count, and every learned byte.
#include "learning/sliced_moments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "learning/load.hpp"
#include "learning/planted.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "moments/chosen_moments.hpp"
#include "moments/counted_moments.hpp"
#include "store/store.hpp"

namespace orrery::learning {
namespace {

constexpr std::size_t n_sliced = 150'000;  // three blocks, the last of them short

/// Without and with missing values.
class Sliced : public testing::TestWithParam<bool> {
 protected:
  Sliced() {
    log::configure(log::Level::quiet, true);
    std::mt19937_64 random(4);
    planted::Ranges ranges;
    ranges.min_observed = ranges.max_observed = 21;
    ranges.min_causes = ranges.max_causes = 3;
    ranges.min_children = ranges.max_children = 7;
    network_ = planted::network(random, ranges);
    const data::BitPanels values = draw(network_, 4, n_sliced);
    store::SampleWriter writer(path_);
    writer.begin(network_.observed_names());
    data::BitColumns missing(21, 65'536);
    for (std::size_t row = 0; row < n_sliced; row += 65'536) {
      const std::size_t n = std::min<std::size_t>(65'536, n_sliced - row);
      data::BitColumns block = values.extract(row, n);
      data::BitColumns mask(21, n);
      for (std::size_t i = 0; misses_values_ && i < n / 2; ++i) {
        const std::size_t missing_row = i * 7 % n;
        const std::size_t x = i * i % 20;  // never the last column
        mask.set(missing_row, x);
        block.column(x)[missing_row / 64] &= ~(std::uint64_t{1} << (missing_row % 64));
      }
      writer.append(block, misses_values_ ? &mask : nullptr);
    }
    writer.finish({});
  }
  ~Sliced() override { std::filesystem::remove(path_); }

  Samples load(std::size_t memory_bytes) {
    Checkpoints none;
    std::vector<Stage> stages;
    return load_samples(lone_team(), 2, path_.string(), memory_bytes, {}, none, stages);
  }
  /// The moments of slices of the same rows.
  std::unique_ptr<moments::MomentSource> moments_of(const RowSlices& slices,
                                                    std::size_t budget_bytes,
                                                    const data::SampleMatrix* whole = nullptr) {
    Checkpoints none;
    std::vector<Stage> stages;
    const RowSlices file(lone_team(), path_, true);
    SampleCounts counts = count_sliced_pairs(lone_team(), 2, file, 21, n_sliced, none, stages);
    auto off = std::make_unique<SlicedMoments>(lone_team(), 2, slices, values_of,
                                               whole == nullptr ? nullptr : &whole->values,
                                               std::move(counts.off), budget_bytes);
    if (!misses_values_) return off;
    return std::make_unique<moments::PairwiseDeleted>(
        std::move(off),
        std::make_unique<SlicedMoments>(lone_team(), 2, slices, missing_of,
                                        whole == nullptr ? nullptr : &*whole->missing,
                                        std::move(*counts.observed), budget_bytes));
  }

  const bool misses_values_ = GetParam();
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("sliced{}.h5", ::getpid());
  model::NoisyOrNetwork network_;
};

TEST_P(Sliced, counts_of_slices_are_those_of_the_whole) {
  const Samples whole = load(0);
  ASSERT_NE(whole.matrix, nullptr);
  EXPECT_EQ(whole.matrix->n_samples(), n_sliced);
  for (const int way : {0, 1, 2}) {
    const RowSlices slices = way < 2
                                 ? RowSlices(lone_team(), path_, way == 1)
                                 : RowSlices(lone_team(), whole.matrix->values,
                                             misses_values_ ? &*whole.matrix->missing : nullptr);
    const auto source = moments_of(slices, 1 << 20);
    const moments::MomentSource& sliced = *source;
    EXPECT_EQ(sliced.n_samples(), n_sliced);
    EXPECT_EQ(sliced.pairs(), whole.moments->pairs());
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
    // More than are counted at once; asked for by parts.
    std::vector<std::array<std::uint32_t, 2>> prepared;
    for (std::uint32_t x = 4; x < 14; ++x) prepared.push_back({x, x + 5});
    prepared.insert(prepared.end(), {{0, 3}, {3, 20}, {7, 12}});
    sliced.prepare_pairs(prepared);
    const auto chosen = std::span(prepared).subspan(8, 5);
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
    if (misses_values_) continue;
    sliced.prepare_on_with_pairs(prepared, {0, prepared.size()});
    const std::span some = std::span(prepared).first(moments::pairs_at_once);
    const std::vector<moments::OnWithPair> of_slices = sliced.on_with_pairs(some);
    const std::vector<moments::OnWithPair> of_whole = whole.moments->on_with_pairs(some);
    for (std::size_t k = 0; k < some.size(); ++k) {
      EXPECT_EQ(of_slices[k].share, of_whole[k].share);
      EXPECT_EQ(of_slices[k].thinning, of_whole[k].thinning);
    }
  }
}

// 0 and 1 are on together in some 70,000 rows, of which few are looked at; the others in few.
TEST(SparseSlices, what_comes_with_a_pair_is_the_same_from_lists_of_slices) {
  std::mt19937 random(7);
  constexpr std::size_t m = 70;
  data::BitPanels values(m, n_sliced);
  for (std::size_t row = 0; row < n_sliced; ++row) {
    for (std::size_t c = 0; c < m; ++c) {
      values.set(row, c, std::bernoulli_distribution(c < 2 ? .7 : .01)(random));
    }
  }
  const RowSlices slices(lone_team(), values, nullptr);
  const auto sliced = [&] {
    return SlicedMoments(lone_team(), 2, slices, values_of, nullptr, moments::count_pairs(values),
                         1 << 20);
  };
  const moments::CountedMoments whole(values, moments::count_pairs(values));
  const std::vector<std::array<std::uint32_t, 2>> pairs{{0, 1}, {1, 2}, {0, 69}, {7, 40}, {3, 4}};
  const std::vector<moments::OnWithPair> expected = whole.on_with_pairs(pairs);
  EXPECT_EQ(expected[0].thinning, 32);
  for (const std::size_t most_bytes : {moments::any_bytes, std::size_t{0}}) {
    const SlicedMoments source = sliced();
    source.prepare_many_pairs(2, most_bytes);
    EXPECT_EQ(source.lists_slices(), most_bytes > 0);
    source.prepare_on_with_pairs(pairs, {0, pairs.size()});
    const std::vector<moments::OnWithPair> found = source.on_with_pairs(pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      EXPECT_EQ(found[k].share, expected[k].share) << k;
      EXPECT_EQ(found[k].thinning, expected[k].thinning) << k;
    }
    source.end_many_pairs();
    EXPECT_FALSE(source.lists_slices());
  }
}

// Rows in such an order that all rows with 0 and 1 on are looked at: they overflow counts of 16
// bits (of the pair {0, 2} they do not).
TEST(SparseSlices, of_a_pair_with_too_many_rows_that_are_looked_at_nothing_comes_with_it) {
  constexpr std::size_t m = 40;
  constexpr std::size_t n_with = moments::most_looked_at + 1;
  const unsigned thinning = moments::thinning_of(n_with);
  std::size_t n_rows = 0;
  std::vector<std::size_t> with;
  for (; with.size() < n_with; ++n_rows) {
    if (moments::is_looked_at(n_rows, thinning)) with.push_back(n_rows);
  }
  data::BitPanels values(m, n_rows);
  for (const std::size_t row : with) {
    for (const std::size_t c : {0U, 1U, 3U}) values.set(row, c, true);
    if (row % 8 == 0) values.set(row, 2, true);
  }
  const RowSlices slices(lone_team(), values, nullptr);
  const moments::CountedMoments whole(values, moments::count_pairs(values));
  const std::vector<std::array<std::uint32_t, 2>> pairs{{0, 1}, {0, 2}};
  const std::vector<moments::OnWithPair> expected = whole.on_with_pairs(pairs);
  EXPECT_EQ(expected[0].share, std::vector<double>(m, 0));
  EXPECT_EQ(expected[1].share[3], 1);
  for (const std::size_t most_bytes : {moments::any_bytes, std::size_t{0}}) {
    SlicedMoments source(lone_team(), 2, slices, values_of, nullptr, moments::count_pairs(values),
                         1 << 20);
    source.prepare_many_pairs(2, most_bytes);
    source.prepare_on_with_pairs(pairs, {0, pairs.size()});
    const std::vector<moments::OnWithPair> found = source.on_with_pairs(pairs);
    EXPECT_EQ(found[0].share, expected[0].share);
    EXPECT_EQ(found[1].share, expected[1].share);
  }
}

TEST_P(Sliced, sets_that_were_not_prepared_are_counted_where_the_whole_is_in_memory) {
  const Samples whole = load(0);
  const RowSlices slices(lone_team(), whole.matrix->values,
                         misses_values_ ? &*whole.matrix->missing : nullptr);
  const auto sliced = moments_of(slices, 1 << 20, whole.matrix.get());
  EXPECT_EQ(sliced->triple(3, 0, 20), whole.moments->triple(0, 3, 20));
  EXPECT_EQ(sliced->quartet(3, 0, 7, 20), whole.moments->quartet(0, 3, 7, 20));
  EXPECT_THROW((void)moments_of(slices, 1 << 20)->triple(3, 0, 20), std::logic_error);
}

TEST_P(Sliced, walkers_give_what_was_counted_ahead) {
  const Samples whole = load(0);
  const RowSlices slices(lone_team(), path_, true);
  const auto source = moments_of(slices, 1 << 20);
  moments::CountsAhead& ahead = *source->counts_ahead();
  const std::vector<std::uint64_t> all{~std::uint64_t{0}};
  const std::vector<std::uint64_t> some{0b1'0000'1001'0001'1000'0000};
  ASSERT_TRUE(ahead.count_triples(std::vector<moments::TripleRequest>{{2, all}, {5, all}}));
  std::vector<moments::QuartetRequest> requests(1);
  requests[0] = {2, 5, all, some};
  ASSERT_TRUE(ahead.count_quartets(requests));
  const auto of_slices = source->walker();
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
TEST_P(Sliced, a_model_learned_from_slices_is_the_same_to_the_last_bit) {
  const Samples whole = load(0);
  const auto expected =
      learn_quartet(*whole.moments, whole.names, {"--test", "rank", "--tau-e", "0.01"});
  ASSERT_GT(expected.network.n_causes(), 0U);
  for (const std::size_t budget_bytes : {std::size_t{1}, std::size_t{1} << 24U}) {
    const RowSlices slices(lone_team(), path_, budget_bytes == 1);
    const auto sliced = moments_of(slices, budget_bytes);
    const auto found =
        learn_quartet(*sliced, whole.names, {"--test", "rank", "--tau-e", "0.01"}, 3);
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

// What learners go over row by row is what was written: bits of missing values are 0.
TEST_P(Sliced, passes_over_the_rows_give_values_and_mask_however_they_are_held) {
  const data::SampleMatrix written = store::read_samples(path_);
  const Samples whole = load(0);
  for (const int way : {0, 1, 2, 3}) {
    const RowSlices slices(lone_team(), path_, way == 1);
    const RowPass of_slices(lone_team(), 2, slices, n_sliced);
    const RowPass fixed = whole.rows->in_fixed_shares();
    const RowPass& rows = way < 2 ? of_slices : way == 2 ? *whole.rows : fixed;
    const auto sums = rows.sum(3, [&](const RowBlock& block, int, std::span<double> sum) {
      EXPECT_EQ(block.missing.empty(), !misses_values_);
      for (std::size_t i = 0; i < block.n_rows; ++i) {
        const std::size_t row = block.first_row + i;
        for (std::size_t x = 0; x < 21; ++x) {
          const bool on = ((block.row(i)[0] >> x) & 1U) != 0;
          const bool lost = misses_values_ && ((block.missing_in(i)[0] >> x) & 1U) != 0;
          sum[0] += 1;
          sum[1] += on == written.values.at(row, x) ? 0 : 1;
          sum[2] += lost == (misses_values_ && written.missing->at(row, x)) ? 0 : 1;
        }
      }
    });
    EXPECT_EQ(sums, (std::vector<double>{21.0 * n_sliced, 0, 0})) << way;
  }
}

/// Sums of the rows' columns, values and then mask.
std::vector<double> column_sums(const RowPass& rows, std::size_t m) {
  return rows.sum(2 * m, [&](const RowBlock& block, int, std::span<double> sum) {
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      for (std::size_t x = 0; x < m; ++x) {
        const double weight = 1 + static_cast<double>((block.first_row + i) % 7);
        if (((block.row(i)[0] >> x) & 1U) != 0) sum[x] += weight;
        if (!block.missing.empty() && ((block.missing_in(i)[0] >> x) & 1U) != 0)
          sum[m + x] += weight;
      }
    }
  });
}

const std::vector<std::uint32_t> chosen_columns{0, 2, 3, 5, 6, 7, 9, 12, 13, 14, 15, 17, 18, 20};

TEST_P(Sliced, chosen_columns_are_visited_alone_however_rows_are_held) {
  const Samples whole = load(0);
  const std::size_t m = chosen_columns.size();
  const std::vector<double> all = column_sums(*whole.rows, 21);
  std::vector<double> expected;
  for (const std::size_t first : {0, 21}) {
    for (const std::uint32_t a : chosen_columns) expected.push_back(all[first + a]);
  }
  EXPECT_EQ(whole.rows->with_columns(chosen_columns).columns(), chosen_columns);
  EXPECT_EQ(whole.rows->columns().size(), 21U);
  for (const int way : {0, 1, 2}) {  // read again, held in slices, in memory
    const RowSlices slices(lone_team(), path_, way == 1);
    const RowPass of_slices(lone_team(), 2, slices, n_sliced);
    const RowPass chosen = (way < 2 ? of_slices : *whole.rows).with_columns(chosen_columns);
    EXPECT_EQ(column_sums(chosen, m), expected) << way;
    EXPECT_EQ(column_sums(chosen.thinned(3), m).size(), 2 * m);
  }
}

// What is counted ahead is asked for, and found, under the numbers of the chosen variables.
TEST_P(Sliced, chosen_variables_are_counted_ahead_as_all_are) {
  const Samples whole = load(0);
  const moments::ChosenMoments expected(*whole.moments, chosen_columns);
  ASSERT_EQ(expected.counts_ahead(), nullptr);
  const RowSlices slices(lone_team(), path_, true);
  const auto all = moments_of(slices, 1 << 20);
  const moments::ChosenMoments source(*all, chosen_columns);
  moments::CountsAhead& ahead = *source.counts_ahead();
  EXPECT_EQ(ahead.budget_bytes(), 1U << 20U);
  const std::vector<std::uint64_t> any{~std::uint64_t{0}};
  const std::vector<std::uint64_t> some{0b10'1011'0000'0000};
  ASSERT_TRUE(ahead.count_triples(std::vector<moments::TripleRequest>{{1, any}, {3, any}}));
  std::vector<moments::QuartetRequest> requests(1);
  requests[0] = {1, 3, any, some};
  ASSERT_TRUE(ahead.count_quartets(requests));
  const auto walker = source.walker();
  const auto expected_walker = expected.walker();
  std::array<moments::TripleSlab, 2> slabs;
  std::array<moments::TripleSlab, 2> expected_slabs;
  for (const std::size_t k : {0U, 1U}) {
    walker->triples(1 + 2 * k, any, slabs[k]);
    expected_walker->triples(1 + 2 * k, any, expected_slabs[k]);
    EXPECT_EQ(slabs[k].moments(8)[13], expected_slabs[k].moments(8)[13]);
  }
  walker->select_pair(1, 3, slabs[0], slabs[1], some);
  expected_walker->select_pair(1, 3, expected_slabs[0], expected_slabs[1], some);
  for (const std::size_t c : {8, 9, 11}) {
    const double* values = walker->quartets(c);
    const double* expected_values = expected_walker->quartets(c);
    EXPECT_EQ(values[13], expected_values[13]) << c;
    EXPECT_EQ(values[13], whole.moments->quartet(2, 5, chosen_columns[c], 20)) << c;
  }
  const std::vector<std::array<std::uint32_t, 2>> pairs{{0, 1}, {2, 13}};
  source.prepare_pairs(pairs);
  const auto triples = source.triples_of_pairs(pairs, 3, 13);
  EXPECT_EQ(triples[1][9], whole.moments->triple(3, 20, 18));
  source.prepare(
      std::vector<std::array<std::uint32_t, 4>>{{4, 5, 6, moments::no_variable}, {4, 5, 6, 12}});
  EXPECT_EQ(source.triple(4, 5, 6), whole.moments->triple(6, 7, 9));
  EXPECT_EQ(source.quartet(4, 5, 6, 12), whole.moments->quartet(6, 7, 9, 18));
  source.prepare_on_with_pairs(pairs, {0, pairs.size()});
  const auto on_with = source.on_with_pairs(pairs);
  EXPECT_EQ(on_with[1].share[12], expected.on_with_pairs(pairs)[1].share[12]);
}

INSTANTIATE_TEST_SUITE_P(Missing, Sliced, testing::Bool(),
                         [](const auto& run) { return run.param ? "some" : "none"; });

}  // namespace
}  // namespace orrery::learning
