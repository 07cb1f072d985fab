// Pairs of variables in square blocks: the numbered units of work. They depend on the number of
// variables alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/sign_tree/hidden_tree/forest.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::hidden_tree {

/// Sides of 64 to 256 columns: 16 MB of columns and more are read for as many as B^2 pairs, which
/// keeps the kernel busy, and there are some 500 units to share out where p is in the thousands.
class Blocks {
 public:
  explicit Blocks(std::size_t p);
  /// Of this side, a multiple of 8 (tests).
  Blocks(std::size_t p, std::size_t side);

  [[nodiscard]] std::uint64_t size() const noexcept { return n_ * (n_ + 1) / 2; }
  [[nodiscard]] BlockShape at(std::uint64_t unit) const noexcept;
  [[nodiscard]] std::size_t side() const noexcept { return side_; }

 private:
  std::size_t p_;
  std::size_t side_;
  std::uint64_t n_;  // ranges
};

/// Of each variable. What is missing counts as on (learning::load_whole).
struct Singles {
  std::uint64_t n_rows = 0;
  std::vector<std::uint64_t> on;       ///< rows in which it is on or missing
  std::vector<std::uint64_t> missing;  ///< empty if nothing is

  [[nodiscard]] std::uint64_t observed(std::size_t a) const {
    return missing.empty() ? n_rows : n_rows - missing[a];
  }
  /// Rows in which it is on and observed.
  [[nodiscard]] std::uint64_t observed_on(std::size_t a) const {
    return missing.empty() ? on[a] : on[a] - missing[a];
  }
};

/// Counts of a block: both on; with missing values also both missing, the first on and the other
/// missing, and the reverse.
[[nodiscard]] std::size_t table_size(const BlockShape& block, bool may_miss);
/// Adds words [first_word, first_word + n_words) of the rows. `missing` may be null.
void count_block(const data::BitPanels& values, const data::BitPanels* missing,
                 const BlockShape& block, std::size_t first_word, std::size_t n_words,
                 std::span<std::uint32_t> table);

/// A block's counts as 2 x 2 tables.
class BlockCells {
 public:
  BlockCells(const Singles& singles, const BlockShape& block, std::span<const std::uint32_t> table);
  [[nodiscard]] Cells operator()(std::uint32_t i, std::uint32_t j) const;

 private:
  const Singles& singles_;
  BlockShape block_;
  std::size_t stride_;
  std::size_t layer_;  // counts of one kind
  std::span<const std::uint32_t> table_;
};

}  // namespace orrery::hidden_tree
