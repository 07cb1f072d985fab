// Pair counts against going through the rows one by one: by tiles, row by row, and by both.
#include "moments/pair_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/kernels.hpp"
#include "moments/tiles.hpp"

namespace orrery::moments {
namespace {

using CountTable = std::vector<std::uint64_t>;

// Columns from never on to 60 % on, the dense ones among the others; each goes with a shared cause.
data::BitPanels random_bits(std::size_t m, std::size_t n, double most_dense = .6) {
  std::mt19937 random(static_cast<std::uint32_t>(m + 7919 * n));
  std::uniform_real_distribution<double> uniform(0, 1);
  data::BitPanels values(m, n);
  for (std::size_t c = 0; c < m; ++c) {
    const double place = static_cast<double>(c * 7 % m) / static_cast<double>(m);
    const double density = most_dense * place * place * place;
    for (std::size_t row = 0; row < n; ++row) {
      values.set(row, c, uniform(random) < density * (row % 5 == 0 ? 1.5 : .875));
    }
  }
  return values;
}

// The slow way: [a m + b], a <= b.
CountTable count_directly(const data::BitPanels& values) {
  const std::size_t m = values.n_columns();
  CountTable both(m * m, 0);
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    std::vector<std::size_t> on;
    for (std::size_t c = 0; c < m; ++c) {
      if (values.at(row, c)) on.push_back(c);
    }
    for (std::size_t i = 0; i < on.size(); ++i) {
      for (std::size_t j = i; j < on.size(); ++j) ++both[on[i] * m + on[j]];
    }
  }
  return both;
}

// Both places of a pair added up, in the upper one.
CountTable fold(CountTable both, std::size_t m) {
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      both[a * m + b] += both[b * m + a];
      both[b * m + a] = 0;
    }
  }
  return both;
}

std::vector<std::uint32_t> by_density(const data::BitPanels& values) {
  const auto densities = column_densities(values);
  std::vector<std::uint32_t> order(densities.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t a) { return densities[a]; });
  return order;
}

CountTable count_split(const data::BitPanels& values, std::size_t n_sparse) {
  std::vector<std::uint32_t> order = by_density(values);
  if (n_sparse == 0) std::iota(order.begin(), order.end(), 0U);
  const RowPairs rows{values, order, n_sparse};
  const TilePairs tiles{values, std::span(order).subspan(n_sparse)};
  CountTable both(order.size() * order.size(), 0);
  for (std::size_t unit = rows.n_units(); unit-- > 0;) rows.count(unit, both);
  for (std::size_t unit = 0; unit < tiles.n_units(); ++unit) tiles.count(unit, both);
  return fold(std::move(both), order.size());
}

class PairsByEveryKernel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      kernels::force(GetParam());
    } catch (const std::exception&) {
      GTEST_SKIP() << "this processor lacks " << GetParam();
    }
  }
};

TEST_P(PairsByEveryKernel, every_split_counts_the_same_on_ragged_rows) {
  for (const std::size_t n : {1U, 63U, 64U, 65U, 130U}) {
    for (const std::size_t m : {1U, 7U, 8U, 9U, 65U}) {
      const data::BitPanels values = random_bits(m, n);
      const CountTable expected = count_directly(values);
      for (const std::size_t n_sparse : {std::size_t{0}, m / 3, m / 2 + 1, m}) {
        EXPECT_EQ(count_split(values, std::min(n_sparse, m)), expected)
            << m << " columns, " << n << " rows, " << n_sparse << " sparse";
      }
    }
  }
}

TEST_P(PairsByEveryKernel, strips_and_squares_meet_without_gap_or_overlap) {
  const data::BitPanels values = random_bits(1100, 320, .3);  // three strips, five groups
  const CountTable expected = count_directly(values);
  for (const std::size_t n_sparse : {0U, 1U, 511U, 512U, 513U, 800U, 1024U, 1099U, 1100U}) {
    EXPECT_EQ(count_split(values, n_sparse), expected) << n_sparse << " sparse";
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, PairsByEveryKernel, testing::Values("scalar", "avx2", "avx512"));

CountTable count_by_rows(const RowPairs& rows) {
  CountTable both(rows.order.size() * rows.order.size(), 0);
  for (std::size_t unit = 0; unit < rows.n_units(); ++unit) rows.count(unit, both);
  return fold(std::move(both), rows.order.size());
}

TEST(PairRows, bands_of_strips_add_up) {
  const data::BitPanels values = random_bits(1600, 200, .3);  // four strips
  const std::vector<std::uint32_t> order = by_density(values);
  const CountTable expected = count_directly(values);
  for (const auto& [strips, n_bands] : {std::pair{1U, 4U}, {2U, 2U}, {3U, 2U}, {4U, 1U}}) {
    const RowPairs rows{values, order, 1600, 512 * 1600 * std::size_t{strips}};
    EXPECT_EQ(rows.n_units(), n_bands);
    EXPECT_EQ(count_by_rows(rows), expected) << strips;
  }
}

TEST(PairRows, ranges_of_rows_add_up) {
  // Two units of rows, the second with two times what is held at once.
  const std::size_t m = 600;
  const std::size_t n = rows_of_unit + rows_at_once + 65;
  data::BitPanels values(m, n);
  std::mt19937 random(3);
  for (std::size_t i = 0; i < 40'000; ++i) {
    const std::size_t row = random() % n;
    for (const std::size_t c : {std::size_t{0}, m - 1, random() % m, random() % m}) {
      values.set(row, c, true);
    }
  }
  values.set(n - 1, 5, true);
  values.set(n - 1, 548, true);
  const std::vector<std::uint32_t> order = by_density(values);
  const RowPairs rows{values, order, m};
  EXPECT_EQ(rows.n_units(), 2U);
  EXPECT_EQ(count_by_rows(rows), count_directly(values));
}

TEST(PairCounter, numbered_units_add_up_in_any_order) {
  for (const double most_dense : {.02, .6}) {
    const data::BitPanels values = random_bits(300, 131'100, most_dense);
    const PairCounter counter(values);
    CountTable both(300 * 300, 0);
    for (std::size_t unit = counter.n_units(); unit-- > 0;) counter.count(unit, both);
    EXPECT_EQ(fold(std::move(both), 300), count_directly(values)) << most_dense;
  }
}

TEST(PairCounter, counts_of_both_off_follow_from_those_of_both_on) {
  const data::BitPanels values = random_bits(40, 333);
  const PairCounts counts = count_pairs(values);
  for (std::size_t a = 0; a < 40; ++a) {
    for (std::size_t b = 0; b < 40; ++b) {
      std::uint64_t off = 0;
      for (std::size_t row = 0; row < 333; ++row) off += !values.at(row, a) && !values.at(row, b);
      EXPECT_EQ(counts.at(a, b), off) << a << ' ' << b;
    }
  }
}

std::size_t cheapest(const std::vector<double>& densities, std::uint64_t n_rows) {
  const auto costs = split_costs(densities, n_rows);
  return static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
}

TEST(PairPlan, few_or_dense_columns_go_by_tiles_and_sparse_ones_by_rows) {
  EXPECT_EQ(cheapest(std::vector<double>(64, .3), 100'000), 0U);
  EXPECT_EQ(cheapest(std::vector<double>(4000, .5), 1'000'000), 0U);
  EXPECT_GT(cheapest(std::vector<double>(4000, .005), 1'000'000), 3900U);
  EXPECT_EQ(cheapest(std::vector<double>(4000, .005), 100), 0U);
  std::vector<double> mixed(4000, .005);
  std::fill(mixed.end() - 100, mixed.end(), .5);
  EXPECT_EQ(cheapest(mixed, 1'000'000), 3900U);
}

TEST(PairPlan, densities_of_many_rows_are_those_of_evenly_spread_ones) {
  const std::size_t n = 64 * 4000;
  data::BitPanels values(9, n);
  for (std::size_t row = 0; row < n; ++row) {
    values.set(row, 0, row % 4 == 0);
    values.set(row, 8, row >= n / 2);
  }
  const auto densities = column_densities(values);
  ASSERT_EQ(densities.size(), 9U);
  EXPECT_EQ(densities[0], .25);
  EXPECT_EQ(densities[1], 0);
  EXPECT_NEAR(densities[8], .5, .02);
}

}  // namespace
}  // namespace orrery::moments
