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
  /// O(rows * columns / 64) expected; memory for the distinct rows only.
  RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns);

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

 private:
  void add(std::span<const std::uint64_t> key);
  void grow();
  [[nodiscard]] std::size_t find_slot(std::span<const std::uint64_t> key) const noexcept;
  [[nodiscard]] std::span<const std::uint64_t> key(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_, key_words_};
  }

  std::size_t n_words_;
  std::size_t key_words_;            // values, then the mask if there is one
  std::vector<std::uint64_t> keys_;  // of the patterns, one after the other
  std::vector<std::uint64_t> counts_;
  std::vector<std::size_t> slots_;  // open addressing, a power of two: pattern + 1; 0 is free
};

}  // namespace orrery::model
