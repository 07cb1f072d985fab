// Pairs of dense columns by 8x8 tiles. A unit is 32 x 32 tiles over 2,048 words; for 128 words at a
// time its 64 panel slices (512 KiB) stay in the second-level cache while up to 1,024 tiles are
// counted from them, and four column slices at a time in the first. m^2 N / 2 bit operations.
#pragma once

#include <cstddef>
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

// Counts of the pairs of some columns with some others, for whoever does not want the table of all:
// at m = 50,000 that is 20 GB.

/// Panels [first, first + n) of some bits, which must outlive the object.
struct PanelRange {
  const data::BitPanels& values;
  std::size_t first;
  std::size_t n;
};

/// Adds to both_on[s i + j], s = 8 columns.n, the rows of words [first_word, first_word + n_words)
/// in which column i of `rows` and column j of `columns` are on. `upper`: only tiles on and above
/// the diagonal. Rows: fewer than 2^32 over all that is added. By the 8x8 kernel, as all pairs are
/// (pair_counts.hpp): 64 rows.n columns.n bit operations per row.
void count_pair_block(const PanelRange& rows, const PanelRange& columns, bool upper,
                      std::size_t first_word, std::size_t n_words,
                      std::span<std::uint32_t> both_on);

}  // namespace orrery::moments
