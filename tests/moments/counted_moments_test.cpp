// Every count against going through the rows one by one, for every kernel and ragged lengths.
#include "moments/counted_moments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/kernels.hpp"
#include "moments/everything.hpp"
#include "moments/moment_source.hpp"

namespace orrery::moments {
namespace {

// Columns of very different densities, so that some are complemented and some are not; one is
// constant 0 and one constant 1.
data::BitPanels random_samples(std::size_t m, std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  data::BitPanels values(m, n);
  for (std::size_t row = 0; row < n; ++row) {
    const bool shared = uniform(random) < 0.4;
    for (std::size_t c = 0; c < m; ++c) {
      const double density = static_cast<double>(c * 7 % m) / static_cast<double>(m - 1);
      values.set(row, c, uniform(random) < density || (shared && c % 3 == 1));
    }
  }
  return values;
}

std::uint64_t count_off(const data::BitPanels& values, std::initializer_list<std::size_t> set) {
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    bool all_off = true;
    for (const std::size_t c : set) all_off = all_off && !values.at(row, c);
    count += all_off ? 1 : 0;
  }
  return count;
}

class EveryKernel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      kernels::force(GetParam());
    } catch (const std::exception&) {
      GTEST_SKIP() << "this processor lacks " << GetParam();
    }
  }
};

TEST_P(EveryKernel, pair_counts_match_enumeration_on_ragged_rows) {
  for (const std::size_t n : {1U, 63U, 64U, 65U, 511U, 513U}) {
    const data::BitPanels values = random_samples(11, n, static_cast<std::uint32_t>(n));
    const PairCounts counts = count_pairs(values);
    for (std::size_t a = 0; a < 11; ++a) {
      for (std::size_t b = 0; b < 11; ++b) {
        EXPECT_EQ(counts.at(a, b), count_off(values, {a, b})) << a << " " << b << " n=" << n;
      }
    }
  }
}

TEST_P(EveryKernel, pair_counts_of_more_columns_than_a_task_match_direct_ones) {
  const data::BitPanels values = random_samples(300, 200, 3);
  const PairCounts counts = count_pairs(values);
  for (std::size_t a = 0; a < 300; a += 7) {
    for (std::size_t b = a; b < 300; b += 5) {
      EXPECT_EQ(counts.at(a, b), count_off(values, {a, b}));
      EXPECT_EQ(counts.at(b, a), counts.at(a, b));
    }
  }
}

TEST_P(EveryKernel, triples_and_quartets_match_enumeration_on_ragged_rows) {
  for (const std::size_t n : {1U, 63U, 64U, 65U, 512U, 513U}) {
    constexpr std::size_t m = 13;
    const data::BitPanels values = random_samples(m, n, static_cast<std::uint32_t>(n) + 99);
    const CountedMoments source(values, count_pairs(values));
    const auto walker = source.walker();
    std::vector<TripleSlab> slabs(m);
    for (std::size_t a = 0; a < m; ++a) walker->triples(a, everything, slabs[a]);
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = a + 1; b < m; ++b) {
        walker->select_pair(a, b, slabs[a], slabs[b], everything);
        for (std::size_t c = b + 1; c < m; ++c) {
          ASSERT_EQ(slabs[a].counts(b)[c], count_off(values, {a, b, c}));
          const double* row = walker->quartets(c);
          for (std::size_t d = c + 1; d < m; ++d) {
            const double expected =
                static_cast<double>(count_off(values, {a, b, c, d})) * (1 / static_cast<double>(n));
            ASSERT_EQ(row[d], expected) << a << b << c << d << " n=" << n;
          }
        }
      }
    }
  }
}

TEST_P(EveryKernel, unwanted_panels_do_not_disturb_the_wanted) {
  constexpr std::size_t m = 30;
  const data::BitPanels values = random_samples(m, 300, 4);
  const CountedMoments source(values, count_pairs(values));
  const auto walker = source.walker();
  TripleSlab slab_a;
  TripleSlab slab_b;
  const std::uint64_t wanted = (std::uint64_t{1} << 9U) | (std::uint64_t{1} << 27U);
  walker->triples(2, std::vector{wanted | (std::uint64_t{1} << 5U)}, slab_a);
  walker->triples(5, std::vector{wanted}, slab_b);
  EXPECT_EQ(slab_b.n_rows(), 2U);
  EXPECT_EQ(slab_b.counts(9)[27], count_off(values, {5, 9, 27}));
  walker->select_pair(2, 5, slab_a, slab_b, std::vector{wanted});
  EXPECT_EQ(walker->quartets(9)[27], source.quartet(2, 5, 9, 27));
}

TEST_P(EveryKernel, many_rows_cross_the_slices_of_a_tile) {
  constexpr std::size_t m = 6;
  constexpr std::size_t n = 80'001;  // projections longer than 256 words
  const data::BitPanels values = random_samples(m, n, 12);
  const CountedMoments source(values, count_pairs(values));
  const auto walker = source.walker();
  std::vector<TripleSlab> slabs(m);
  for (std::size_t a = 0; a < m; ++a) walker->triples(a, everything, slabs[a]);
  walker->select_pair(0, 1, slabs[0], slabs[1], std::vector<std::uint64_t>(1, 0x3F));
  EXPECT_EQ(slabs[1].counts(2)[4], count_off(values, {1, 2, 4}));
  EXPECT_EQ(walker->quartets(2)[4],
            static_cast<double>(count_off(values, {0, 1, 2, 4})) * (1 / static_cast<double>(n)));
}

TEST_P(EveryKernel, stored_triples_replace_counting) {
  constexpr std::size_t m = 7;
  const data::BitPanels values = random_samples(m, 100, 1);
  const CountedMoments counted(values, count_pairs(values));
  const auto stored = [&](std::size_t a) {
    TripleSlab slab;
    counted.walker()->triples(a, everything, slab);
    std::vector<std::uint32_t> list;
    for (std::size_t x = a + 1; x < m; ++x) {
      for (std::size_t y = x + 1; y < m; ++y) list.push_back(slab.counts(x)[y]);
    }
    return list;
  };
  const CountedMoments reused(values, count_pairs(values), stored);
  TripleSlab slab;
  reused.walker()->triples(1, everything, slab);
  EXPECT_EQ(slab.counts(2)[5], count_off(values, {1, 2, 5}));
  EXPECT_EQ(slab.moments(3)[6], counted.triple(1, 3, 6));
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::Values("scalar", "avx2", "avx512"));

/// Row by row.
OnWithPair counted_plainly(const data::BitPanels& values,
                           const std::array<std::uint32_t, 2>& pair) {
  const auto both = [&](std::size_t r) { return values.at(r, pair[0]) && values.at(r, pair[1]); };
  std::uint64_t n_both = 0;
  for (std::size_t r = 0; r < values.n_rows(); ++r) n_both += both(r) ? 1 : 0;
  unsigned thinning = 0;
  while ((n_both >> thinning) > enough_rows || (n_both - 1) >> thinning >= enough_rows) ++thinning;
  OnWithPair found{std::vector<double>(values.n_columns(), 0),
                   static_cast<double>(std::uint64_t{1} << thinning)};
  double rows = 0;
  for (std::size_t r = 0; r < values.n_rows(); ++r) {
    if (!both(r) || !is_looked_at(r, thinning)) continue;
    ++rows;
    for (std::size_t x = 0; x < values.n_columns(); ++x) found.share[x] += values.at(r, x) ? 1 : 0;
  }
  for (double& share : found.share) share /= rows;
  return found;
}

// 0 and 1 are on together in some 9,000 rows, of which every fourth is looked at; 1 and 2 in some
// 5,000, every second; the others in few.
TEST(SparseSamples, what_comes_with_a_pair_is_the_same_from_lists_and_from_bits) {
  std::mt19937 random(5);
  constexpr std::size_t m = 70;
  constexpr std::size_t n = 20'001;
  data::BitPanels values(m, n);
  const std::array<double, 3> often{.8, .6, .4};
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t c = 0; c < m; ++c) {
      values.set(row, c, std::bernoulli_distribution(c < 3 ? often[c] : .02)(random));
    }
  }
  const CountedMoments dense(values, count_pairs(values));
  const CountedMoments sparse(values, count_pairs(values));
  sparse.prepare_many_pairs(2, any_bytes);
  double most = 1;
  const std::vector<std::array<std::uint32_t, 2>> pairs{{0, 1},  {1, 2},  {0, 2}, {2, 69},
                                                        {7, 40}, {0, 69}, {3, 4}, {1, 63}};
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{3}, pairs_at_once}) {
    for (const CountedMoments* source : {&dense, &sparse}) {
      for (std::size_t first = 0; first < pairs.size(); first += at_once) {
        const auto some = std::span(pairs).subspan(first, std::min(at_once, pairs.size() - first));
        const std::vector<OnWithPair> found = source->on_with_pairs(some);
        ASSERT_EQ(found.size(), some.size());
        for (std::size_t k = 0; k < some.size(); ++k) {
          const OnWithPair expected = counted_plainly(values, some[k]);
          most = std::max(most, expected.thinning);
          EXPECT_EQ(found[k].thinning, expected.thinning);
          EXPECT_EQ(found[k].share, expected.share);
        }
      }
    }
  }
  EXPECT_EQ(most, 4);
  sparse.end_many_pairs();
  EXPECT_EQ(sparse.on_with_pairs(pairs)[2].share, dense.on_with_pairs(pairs)[2].share);
}

// A tenth of a million rows, within 5 standard errors; also of every seventh row, as of a table
// that comes in an order.
TEST(PairThinning, rows_are_looked_at_evenly) {
  for (const unsigned thinning : {0U, 1U, 3U, 6U}) {
    for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{4096}}) {
      double found = 0;
      for (std::uint64_t r = 0; r < 100'000; ++r) found += is_looked_at(step * r, thinning) ? 1 : 0;
      const double p = 1.0 / (1U << thinning);
      EXPECT_NEAR(found, 1e5 * p, 5 * std::sqrt(1e5 * p * (1 - p))) << thinning << " " << step;
    }
  }
}

TEST(PairThinning, leaves_enough_rows) {
  for (const std::uint64_t n : {1U, 4095U, 4096U, 4097U, 8192U, 8193U, 1'000'000U}) {
    const std::uint64_t left = n >> thinning_of(n);
    EXPECT_LE(left, enough_rows) << n;
    EXPECT_GE(left, std::min<std::uint64_t>(n, enough_rows / 2)) << n;
  }
}

}  // namespace
}  // namespace orrery::moments
