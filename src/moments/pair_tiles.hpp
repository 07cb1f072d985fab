// Pairs of dense columns by 8x8 tiles. A unit is 32 x 32 tiles over 2,048 words; for 128 words at a
// time its 64 panel slices (512 KiB) stay in the second-level cache while up to 1,024 tiles are
// counted from them, and four column slices at a time in the first. m^2 N / 2 bit operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

/// Pairs of these columns; of all columns in their order, the panels are used as they are.
struct TilePairs {
  const data::BitPanels& values;
  std::span<const std::uint32_t> columns;

  [[nodiscard]] std::size_t n_units() const noexcept;
  void count(std::size_t unit, std::vector<std::uint64_t>& both_on) const;
};

/// Adds the counts of each panel of `rows` with each of `columns` (words 0 .. n_words - 1 of them)
/// to sums[stride i + j]; `upper`: with those at the same place or later only.
void count_tiles_of(std::span<const std::uint64_t* const> rows,
                    std::span<const std::uint64_t* const> columns, bool upper, std::size_t n_words,
                    std::size_t stride, std::uint32_t* sums);

}  // namespace orrery::moments
