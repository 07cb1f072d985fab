#include "data/row_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace orrery::data {
namespace {

BitPanels draw(std::size_t n_columns, std::size_t n_rows, double density) {
  std::mt19937_64 random(n_columns + 1000 * n_rows);
  std::bernoulli_distribution on(density);
  BitPanels values(n_columns, n_rows);
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) values.set(r, c, on(random));
  }
  return values;
}

TEST(RowLists, hold_every_bit_both_ways_and_nothing_else) {
  for (const std::size_t n_rows : {1U, 63U, 64U, 65U, 200U, 4096U, 33'000U}) {
    for (const std::size_t n_columns : {1U, 7U, 8U, 9U, 20U}) {
      const BitPanels values = draw(n_columns, n_rows, .2);
      for (const int threads : {1, 3}) {
        const RowLists lists(values, threads);
        ASSERT_EQ(lists.n_rows(), n_rows);
        BitPanels by_row(n_columns, n_rows);
        BitPanels by_column(n_columns, n_rows);
        for (std::size_t r = 0; r < n_rows; ++r) {
          for (const std::uint16_t a : lists.row(r)) by_row.set(r, a, true);
          EXPECT_TRUE(std::ranges::is_sorted(lists.row(r)));
        }
        for (std::size_t a = 0; a < n_columns; ++a) {
          for (const std::uint32_t r : lists.rows_of(a)) by_column.set(r, a, true);
          EXPECT_TRUE(std::ranges::is_sorted(lists.rows_of(a)));
        }
        EXPECT_TRUE(by_row == values) << n_rows << " x " << n_columns;
        EXPECT_TRUE(by_column == values) << n_rows << " x " << n_columns;
      }
    }
  }
}

// Memory that was used before, as the system gives out new memory all zero.
TEST(BitPanels, are_zero_by_any_number_of_threads) {
  for (const std::size_t n_rows : {64U, 1000U, 600'000U}) {
    for (const int threads : {1, 2, 5}) {
      { const AlignedVector<std::uint64_t> used(BitPanels::words_needed(9, n_rows), ~0ULL); }
      const BitPanels values(9, n_rows, threads);
      EXPECT_TRUE(std::ranges::all_of(values.words(), [](std::uint64_t w) { return w == 0; }));
    }
  }
}

TEST(UnsetVector, begins_at_a_large_page_from_16_MiB_on) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  for (const std::size_t n :
       {std::size_t{1}, 16 * mebibyte - 1, 16 * mebibyte, 40 * mebibyte + 3}) {
    UnsetVector<char> memory(n);
    memory.front() = memory.back() = 'x';
    const UnsetVector<char> copy = memory;
    EXPECT_EQ(copy.back(), 'x');
    const std::size_t page = n < 16 * mebibyte ? 64 : 2 * mebibyte;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % page, 0U) << n;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % page, 0U) << n;
  }
}

}  // namespace
}  // namespace orrery::data
