#include "orrery/data/row_lists.hpp"

#include <cassert>
#include <limits>
#include <numeric>

#include "orrery/data/bits.hpp"

namespace orrery::data {
RowLists::RowLists(const BitPanels& values, int threads)
    : row_begin_(values.n_rows() + 1, 0), column_begin_(values.n_columns() + 1, 0) {
  const std::size_t m = values.n_columns();
  const std::size_t n = values.n_rows();
  assert(m <= most_columns && n <= std::numeric_limits<std::uint32_t>::max());
  const std::size_t n_words = values.n_words();
  // Threads divide the words for what is by row and the columns for what is by column, so that none
  // writes what another does.
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t w = 0; w < n_words; ++w) {
    for (std::size_t a = 0; a < m; ++a) {
      for_each_bit(values.word(a, w), 64 * w, [&](std::size_t r) { ++row_begin_[r + 1]; });
    }
  }
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  on_.resize(row_begin_.back());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t w = 0; w < n_words; ++w) {
    std::uint64_t next[64] = {};
    for (std::size_t i = 0; i < 64 && 64 * w + i < n; ++i) next[i] = row_begin_[64 * w + i];
    for (std::size_t a = 0; a < m; ++a) {
      for_each_bit(values.word(a, w), 0,
                   [&](std::size_t bit) { on_[next[bit]++] = static_cast<std::uint16_t>(a); });
    }
  }
  for (const std::uint16_t a : on_) ++column_begin_[a + 1U];
  std::partial_sum(column_begin_.begin(), column_begin_.end(), column_begin_.begin());
  rows_.resize(on_.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (std::size_t a = 0; a < m; ++a) {
    std::uint64_t next = column_begin_[a];
    for (std::size_t w = 0; w < n_words; ++w) {
      for_each_bit(values.word(a, w), 64 * w,
                   [&](std::size_t r) { rows_[next++] = static_cast<std::uint32_t>(r); });
    }
  }
}

}  // namespace orrery::data
