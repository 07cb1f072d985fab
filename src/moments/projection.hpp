// Projection: all columns restricted to the rows in which a given variable takes its rarer value.
//
// Columns are complemented so that every density is at most 1/2 (x' = x XOR flip), and compacted
// onto the rows with a' = 1; a second projection inside the first leaves the rows with a' = b' = 1.
// Counting pairs there counts triples and quartets of the x', exactly, on 1/p and 1/p^2 fewer bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

class Projection {
 public:
  /// Rows of `values` at which the bits of `mask` (n_words words) are set, `n_rows` of them; lane
  /// flips applied. Only panels with a bit set in `wanted_panels` (a byte a panel) are filled.
  void from_samples(const data::BitPanels& values, std::span<const std::uint64_t> flips,
                    std::span<const std::uint64_t> mask, std::size_t n_rows,
                    std::span<const std::uint8_t> wanted_panels);
  /// Rows of `outer` at which its column `column` is set, `n_rows` of them. Only panels
  /// with a bit set in `wanted_panels` and not below `first_panel` are filled.
  void from_projection(const Projection& outer, std::size_t column, std::size_t n_rows,
                       std::size_t first_panel, std::span<const std::uint8_t> wanted_panels);

  [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }
  [[nodiscard]] const std::uint64_t* panel(std::size_t p) const noexcept {
    return words_.data() + p * stride_;
  }
  /// counts[stride * r + c] of row panel p and column panel q, in slices that stay cached.
  void count_tile(std::size_t p, std::size_t q, std::uint32_t* counts, std::size_t stride) const;

 private:
  void reserve(std::size_t n_panels, std::size_t n_rows);

  data::AlignedVector<std::uint64_t> words_;
  std::size_t stride_ = 0;  // words a panel in words_
  std::size_t n_panels_ = 0;
  std::size_t n_words_ = 0;  // packed words a lane
};

}  // namespace orrery::moments
