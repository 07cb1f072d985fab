// A block of rows as bit-packed columns: the layout of files (src/store/README.md).
// Bit i of word w of a column is row 64 w + i of the block. Bits beyond the last row are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::data {

class BitColumns {
 public:
  BitColumns() = default;
  /// All zero. `n_rows` is the number of rows in use, at most 64 * words_per_column.
  BitColumns(std::size_t n_columns, std::size_t n_rows)
      : n_columns_(n_columns),
        n_rows_(n_rows),
        n_words_((n_rows + 63) / 64),
        words_(n_columns * n_words_, 0) {}

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t words_per_column() const noexcept { return n_words_; }

  [[nodiscard]] std::span<std::uint64_t> column(std::size_t c) noexcept {
    return {words_.data() + c * n_words_, n_words_};
  }
  [[nodiscard]] std::span<const std::uint64_t> column(std::size_t c) const noexcept {
    return {words_.data() + c * n_words_, n_words_};
  }
  [[nodiscard]] bool at(std::size_t row, std::size_t c) const noexcept {
    return ((words_[c * n_words_ + row / 64] >> (row % 64)) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t c) noexcept {
    words_[c * n_words_ + row / 64] |= std::uint64_t{1} << (row % 64);
  }
  /// All words, column after column.
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  /// Keeps the first `n_rows` rows (for the last, partly filled block of a stream).
  void truncate(std::size_t n_rows);

 private:
  std::size_t n_columns_ = 0;
  std::size_t n_rows_ = 0;
  std::size_t n_words_ = 0;
  std::vector<std::uint64_t> words_;
};

/// Rows in a block of a stream and of a file's chunk, from the number of columns alone, so that
/// digests and file layout do not depend on who wrote the file: a multiple of 64, at most 65,536,
/// and at most 32 MiB of bits per block.
[[nodiscard]] std::size_t block_rows(std::size_t n_columns);

}  // namespace orrery::data
