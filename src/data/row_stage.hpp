// Rows into blocks of bit columns. 64 rows are staged as rows of bits, then transposed in tiles of
// 64 x 64 bits: a column is touched once in 64 rows instead of once a row, which matters because
// the columns of a block lie a power of two apart and share cache sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/columns.hpp"
#include "data/sample_blocks.hpp"
#include "orrery/data/bit_columns.hpp"

namespace orrery::data {

class RowStage {
 public:
  /// Both must outlive the stage.
  RowStage(const Columns& columns, SampleBlocks& blocks);

  /// The current row: bit j of word w is column 64 w + j of the file (dropped ones included). Every
  /// word must be written; a missing or dropped value's bit may be anything.
  [[nodiscard]] std::uint64_t* values() noexcept { return values_.data() + row_ * words_per_row_; }
  /// Marks a value of the current row as missing.
  void set_missing(std::size_t column);
  /// The current row is complete.
  void finish_row();
  /// The table is complete: pushes the last block. Call once, after the last row.
  void finish();

 private:
  void flush_stripe();
  void flush_tile(std::size_t tile);
  void push_block();

  const Columns& columns_;
  SampleBlocks& blocks_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> values_;   // 64 rows
  std::vector<std::uint64_t> missing_;  // 64 rows, or none before the first missing value
  std::size_t row_ = 0;                 // in the stripe
  std::size_t stripe_ = 0;              // in the block
  std::size_t kept_before_tile_ = 0;
  bool stripe_has_missing_ = false;
  bool block_has_missing_ = false;
  BitColumns block_;
  std::optional<BitColumns> missing_block_;
};

}  // namespace orrery::data
