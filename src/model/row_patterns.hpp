// The distinct rows of some columns of a data set, and how often each occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::model {

/// Rows as words: bit i of word w is column 64 w + i of the chosen ones.
class RowPatterns {
 public:
  /// None yet, of rows of so many columns.
  RowPatterns(std::size_t n_columns, bool may_miss);
  /// O(rows * columns / 64) expected; memory for the distinct rows only.
  RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns);
  /// Those of all columns; none if more than `most` differ. `missing`: the mask, or null; where it
  /// is set `values` may hold anything.
  RowPatterns(const data::BitPanels& values, const data::BitPanels* missing, std::size_t most);

  /// One row more: its values (0 where missing), then its mask if rows may miss values. Returns the
  /// number of its pattern.
  std::size_t add(std::span<const std::uint64_t> key);

  /// Number of distinct rows, in order of first appearance.
  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }
  [[nodiscard]] std::uint64_t count(std::size_t i) const noexcept { return counts_[i]; }
  /// Values of pattern i (0 where missing).
  [[nodiscard]] std::span<const std::uint64_t> values(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_, n_words_};
  }
  /// 1 = missing; empty if the data set has no mask.
  [[nodiscard]] std::span<const std::uint64_t> missing(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_ + n_words_, key_words_ - n_words_};
  }
  /// Each once.
  [[nodiscard]] data::SampleMatrix as_samples() const;

 private:
  /// Every row of these columns, unless more than `most` differ.
  void add_all(const data::BitPanels& values, const data::BitPanels* missing,
               std::span<const std::uint32_t> columns, std::size_t most);
  void grow();
  [[nodiscard]] std::size_t find_slot(std::span<const std::uint64_t> key) const noexcept;
  [[nodiscard]] std::span<const std::uint64_t> key(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_, key_words_};
  }

  std::size_t n_columns_;
  std::size_t n_words_;
  std::size_t key_words_;            // values, then the mask if there is one
  std::vector<std::uint64_t> keys_;  // of the patterns, one after the other
  std::vector<std::uint64_t> counts_;
  std::vector<std::size_t> slots_;  // open addressing, a power of two: pattern + 1; 0 is free
};

}  // namespace orrery::model
