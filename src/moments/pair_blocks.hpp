// Counts of the pairs of some columns with some others, for whoever does not want the table of all:
// at m = 50,000 that is 20 GB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

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
