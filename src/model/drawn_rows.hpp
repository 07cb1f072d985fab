// Blocks of rows that are drawn a row at a time, whatever the model: 64 rows are drawn into words
// of a row each, and transposed to words of columns.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/bit_transpose.hpp"
#include "orrery/data/bit_columns.hpp"

namespace orrery::model {

/// Calls draw(row, bits, scratch) for each row of [first_row, first_row + block.n_rows()): `bits`
/// is zero and takes the row, `scratch` is a copy of the one given, a thread's own. `draw` must not
/// throw: it runs in a parallel region.
template <class Scratch, class Draw>
void draw_rows(std::uint64_t first_row, const Scratch& scratch, data::BitColumns& block,
               const Draw& draw) {
  struct Own {
    Scratch scratch;
    std::vector<std::uint64_t> rows;  // 64 of them, a row after a row
  };
  const std::size_t n_words = (block.n_columns() + 63) / 64;
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<Own> own(static_cast<std::size_t>(omp_get_max_threads()),
                       Own{scratch, std::vector<std::uint64_t>(64 * n_words)});
  // A thread owns whole groups of 64 rows: no two threads write one word.
  const std::size_t n_groups = block.words_per_column();
#pragma omp parallel for schedule(static) if (n_groups > 1)
  for (std::size_t group = 0; group < n_groups; ++group) {
    Own& mine = own[static_cast<std::size_t>(omp_get_thread_num())];
    std::fill(mine.rows.begin(), mine.rows.end(), 0);
    const std::size_t n_rows = std::min<std::size_t>(64, block.n_rows() - 64 * group);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::span<std::uint64_t> bits(mine.rows.data() + r * n_words, n_words);
      draw(first_row + 64 * group + r, bits, mine.scratch);
    }
    for (std::size_t w = 0; w < n_words; ++w) {
      data::BitSquare square;
      for (std::size_t r = 0; r < 64; ++r) square[r] = mine.rows[r * n_words + w];
      data::transpose(square);
      const std::size_t n_columns = std::min<std::size_t>(64, block.n_columns() - 64 * w);
      for (std::size_t c = 0; c < n_columns; ++c) block.column(64 * w + c)[group] = square[c];
    }
  }
}

}  // namespace orrery::model
