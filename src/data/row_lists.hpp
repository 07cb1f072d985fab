// A sparse binary matrix both ways: which variables are on in a row, and in which rows a variable
// is on. For questions that touch few rows, where bits would all have to be read.
//
// Memory: 6 bytes per value that is on, 8 per row. Time to build: three passes over the bits, in
// blocks that stay in the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::data {

class RowLists {
 public:
  /// Columns have 16 bits.
  static constexpr std::size_t most_columns = 65'536;

  /// `values`: at most most_columns columns, fewer than 2^32 rows. Built by so many threads.
  RowLists(const BitPanels& values, int threads);

  /// What lists of so many rows take, of which `on` columns each are on, in the mean.
  [[nodiscard]] static double bytes(double on, std::uint64_t n_rows) noexcept {
    return static_cast<double>(n_rows) * (8 + 6 * on);
  }

  [[nodiscard]] std::size_t n_rows() const noexcept { return row_begin_.size() - 1; }
  /// Variables that are on in the row, ascending.
  [[nodiscard]] std::span<const std::uint16_t> row(std::size_t r) const noexcept {
    return {on_.data() + row_begin_[r], on_.data() + row_begin_[r + 1]};
  }
  /// Where the row begins is asked for: row() of it waits less.
  void prefetch_begin(std::size_t r) const noexcept { __builtin_prefetch(&row_begin_[r]); }
  /// Rows in which the variable is on, ascending.
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t a) const noexcept {
    return {rows_.data() + column_begin_[a], rows_.data() + column_begin_[a + 1]};
  }

 private:
  void list_by_row(const BitPanels& values, int threads);
  void list_by_column(const BitPanels& values, int threads);

  UnsetVector<std::uint64_t> row_begin_;     // n_rows + 1
  UnsetVector<std::uint16_t> on_;            // row after row
  std::vector<std::uint64_t> column_begin_;  // n_columns + 1
  UnsetVector<std::uint32_t> rows_;          // column after column
};

}  // namespace orrery::data
