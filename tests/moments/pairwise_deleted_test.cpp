// Moments of samples with missing values against going through the rows one by one.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "moments/counted_moments.hpp"
#include "moments/everything.hpp"

namespace orrery::moments {
namespace {

constexpr std::size_t n_table_columns = 13;

/// Values, 0 where missing, and the mask. Columns differ in density and in how much is missing:
/// column 0 misses nothing, columns 11 and 12 are never observed together.
struct MaskedTable {
  data::BitPanels values;
  data::BitPanels missing;
};

MaskedTable random_table(std::size_t n_rows, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  MaskedTable table{data::BitPanels(n_table_columns, n_rows),
                    data::BitPanels(n_table_columns, n_rows)};
  for (std::size_t row = 0; row < n_rows; ++row) {
    const bool shared = uniform(random) < 0.4;
    for (std::size_t c = 0; c < n_table_columns; ++c) {
      const double density =
          static_cast<double>(c * 7 % n_table_columns) / static_cast<double>(n_table_columns);
      const bool on = uniform(random) < density || (shared && c % 3 == 1);
      bool missing = uniform(random) < 0.05 * static_cast<double>(c % 4) * (c > 0 ? 1 : 0);
      if (c >= 11) missing = row % 2 == c % 2;
      table.missing.set(row, c, missing);
      table.values.set(row, c, on && !missing);
    }
  }
  return table;
}

/// Shares of the rows in which all of `set` are observed: all, and those with all of it off.
struct Share {
  double observed = 0;
  double off = 0;
};
Share enumerate(const MaskedTable& table, const std::vector<std::size_t>& set) {
  std::size_t n_observed = 0;
  std::size_t n_off = 0;
  for (std::size_t row = 0; row < table.values.n_rows(); ++row) {
    bool observed = true;
    bool off = true;
    for (const std::size_t x : set) {
      observed = observed && !table.missing.at(row, x);
      off = off && !table.values.at(row, x);
    }
    n_observed += observed ? 1 : 0;
    n_off += observed && off ? 1 : 0;
  }
  const auto n = static_cast<double>(table.values.n_rows());
  return {static_cast<double>(n_observed) / n, static_cast<double>(n_off) / n};
}

double single(const MaskedTable& table, std::size_t x) {
  const Share share = enumerate(table, {x});
  return share.off / share.observed;
}
double pair(const MaskedTable& table, std::size_t x, std::size_t y) {
  const Share share = enumerate(table, {x, y});
  return share.observed > 0 ? share.off / share.observed : single(table, x) * single(table, y);
}
double expected(const MaskedTable& table, const std::vector<std::size_t>& set) {
  const Share share = enumerate(table, set);
  if (share.observed > 0) return share.off / share.observed;
  double pairs = 1;
  double singles = 1;
  for (std::size_t i = 0; i < set.size(); ++i) {
    singles *= single(table, set[i]);
    for (std::size_t j = i + 1; j < set.size(); ++j) pairs *= pair(table, set[i], set[j]);
  }
  if (singles == 0) return 0;
  return set.size() == 3 ? pairs / singles : pairs / (singles * singles);
}

class MissingValues : public testing::TestWithParam<std::size_t> {
 protected:
  MissingValues() : table_(random_table(GetParam(), static_cast<std::uint32_t>(GetParam()))) {
    on_or_missing_ = table_.values;
    for (std::size_t row = 0; row < GetParam(); ++row) {
      for (std::size_t c = 0; c < n_table_columns; ++c) {
        if (table_.missing.at(row, c)) on_or_missing_.set(row, c, true);
      }
    }
    source_ = std::make_unique<PairwiseDeleted>(
        std::make_unique<CountedMoments>(on_or_missing_, count_pairs(on_or_missing_)),
        std::make_unique<CountedMoments>(table_.missing, count_pairs(table_.missing)));
  }

  MaskedTable table_;
  data::BitPanels on_or_missing_;
  std::unique_ptr<PairwiseDeleted> source_;
};

constexpr double rounding = 1e-12;

TEST_P(MissingValues, singles_pairs_and_shares_are_of_the_observed_rows) {
  EXPECT_EQ(source_->n_samples(), GetParam());
  EXPECT_NEAR(source_->observed_share(0), 1, rounding);
  for (std::size_t a = 0; a < n_table_columns; ++a) {
    EXPECT_NEAR(source_->observed_share(a), enumerate(table_, {a}).observed, rounding);
    EXPECT_NEAR(source_->single(a), single(table_, a), rounding);
    for (std::size_t b = 0; b < n_table_columns; ++b) {
      if (b == a) continue;
      EXPECT_NEAR(source_->pair(a, b), pair(table_, a, b), rounding) << a << ' ' << b;
    }
  }
  EXPECT_NEAR(source_->pair(11, 12), single(table_, 11) * single(table_, 12), rounding);
}

TEST_P(MissingValues, triples_and_quartets_are_of_the_observed_rows_one_by_one_and_in_walks) {
  const auto walker = source_->walker();
  std::vector<TripleSlab> slabs(n_table_columns);
  for (std::size_t a = 0; a < n_table_columns; ++a) walker->triples(a, everything, slabs[a]);
  for (std::size_t a = 0; a < n_table_columns; ++a) {
    for (std::size_t b = a + 1; b < n_table_columns; ++b) {
      walker->select_pair(a, b, slabs[a], slabs[b], everything);
      for (std::size_t c = b + 1; c < n_table_columns; ++c) {
        const double triple = expected(table_, {a, b, c});
        ASSERT_NEAR(slabs[a].moments(b)[c], triple, rounding) << a << ' ' << b << ' ' << c;
        ASSERT_NEAR(source_->triple(c, a, b), triple, rounding) << a << ' ' << b << ' ' << c;
        const double* row = walker->quartets(c);
        for (std::size_t d = c + 1; d < n_table_columns; ++d) {
          const double quartet = expected(table_, {a, b, c, d});
          ASSERT_NEAR(row[d], quartet, rounding) << a << ' ' << b << ' ' << c << ' ' << d;
          ASSERT_NEAR(source_->quartet(d, b, a, c), quartet, rounding);
          ASSERT_EQ(row[d], source_->quartet(a, b, c, d));
        }
      }
    }
  }
}

TEST_P(MissingValues, triples_beside_pairs_are_of_the_observed_rows) {
  const std::array<std::array<std::uint32_t, 2>, 3> pairs{{{0, 3}, {11, 12}, {7, 2}}};
  const auto found = source_->triples_of_pairs(pairs, 1, n_table_columns);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    for (std::size_t x = 1; x < n_table_columns; ++x) {
      if (x == a || x == b) continue;
      EXPECT_NEAR(found[k][x - 1], expected(table_, {a, b, x}), rounding) << k << ' ' << x;
    }
  }
}

// Slabs that the learner has adjusted still serve for quartets, as do those filled a second time.
TEST_P(MissingValues, adjusted_and_reused_slabs_leave_quartets_alone) {
  const auto walker = source_->walker();
  TripleSlab slab_a;
  TripleSlab slab_b;
  walker->triples(9, everything, slab_a);
  walker->triples(2, everything, slab_a);
  const std::vector<std::uint64_t> wanted(1, 0b1'0010'1000'0000);
  walker->triples(5, wanted, slab_b);
  for (std::size_t x = 3; x < n_table_columns; ++x) {
    for (std::size_t y = x + 1; y < n_table_columns; ++y) slab_a.moments(x)[y] = 7;
  }
  walker->select_pair(2, 5, slab_a, slab_b, wanted);
  const double* row = walker->quartets(7);
  EXPECT_EQ(row[9], source_->quartet(2, 5, 7, 9));
  EXPECT_EQ(row[12], source_->quartet(2, 5, 7, 12));
}

INSTANTIATE_TEST_SUITE_P(Rows, MissingValues, testing::Values(64, 200, 513, 1000));

// One row in two has x, the other y: independent whatever the values. A variable that is never
// observed depends on nothing.
TEST(PairwiseDeleted, what_is_never_observed_together_shows_no_dependence) {
  const std::size_t n = 100;
  data::BitPanels on_or_missing(4, n);
  data::BitPanels missing(4, n);
  for (std::size_t row = 0; row < n; ++row) {
    missing.set(row, row % 2, true);
    missing.set(row, 3, true);
    for (std::size_t c = 0; c < 3; ++c) on_or_missing.set(row, c, row / 2 % 5 < 2);
    on_or_missing.set(row, row % 2, true);
    on_or_missing.set(row, 3, true);
  }
  const PairwiseDeleted source(
      std::make_unique<CountedMoments>(on_or_missing, count_pairs(on_or_missing)),
      std::make_unique<CountedMoments>(missing, count_pairs(missing)));
  EXPECT_NEAR(source.single(0), 0.6, rounding);
  EXPECT_NEAR(source.pair(0, 1), 0.36, rounding);
  EXPECT_NEAR(source.pair(0, 2), 0.6, rounding);
  EXPECT_EQ(source.observed_share(3), 0);
  EXPECT_EQ(source.pair(0, 3), source.single(0));
  // PMI(0, 2) - CPMI(0, 2 | 1) is 0: the pretest of a triple sees nothing.
  const double triple = source.triple(0, 1, 2);
  EXPECT_NEAR(triple * source.single(1) / (source.pair(0, 1) * source.pair(1, 2)),
              source.pair(0, 2) / (source.single(0) * source.single(2)), rounding);
}

}  // namespace
}  // namespace orrery::moments
