#include "data/row_lists.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#include "kernels/kernels.hpp"

namespace orrery::data {
namespace {

// Words of a column that are looked at together. Of a row list: what is on in these rows stays in
// the second-level cache. Of a column list: a panel stays in the first while its columns pass.
constexpr std::size_t words_of_rows = 64;
constexpr std::size_t words_of_column = 512;

/// Rows of `n_words` words from `first_word` on, less the first, in which the column is on.
std::span<const std::uint16_t> rows_on(const BitPanels& values, std::size_t column,
                                       std::size_t first_word, std::size_t n_words,
                                       std::vector<std::uint16_t>& rows) {
  const std::uint64_t* words =
      values.panel(column / panel_lanes) + panel_lanes * first_word + column % panel_lanes;
  rows.resize(64 * words_of_column + 2);
  return {rows.data(), kernels::active().list_rows(words, panel_lanes, n_words, rows.data())};
}

}  // namespace

RowLists::RowLists(const BitPanels& values, int threads)
    : row_begin_(values.n_rows() + 1, 0), column_begin_(values.n_columns() + 1, 0) {
  assert(values.n_columns() <= most_columns &&
         values.n_rows() <= std::numeric_limits<std::uint32_t>::max());
  list_by_row(values, threads);
  list_by_column(values, threads);
}

// Threads divide the rows, so that none writes what another does.
void RowLists::list_by_row(const BitPanels& values, int threads) {
  const std::size_t m = values.n_columns();
  const std::size_t n = values.n_rows();
  const std::size_t n_words = values.n_words();
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::uint16_t> rows;
    std::vector<std::uint64_t> of_column(m, 0);
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < n_words; w += words_of_rows) {
      std::uint64_t* count = row_begin_.data() + 64 * w + 1;
      for (std::size_t a = 0; a < m; ++a) {
        const auto on = rows_on(values, a, w, std::min(words_of_rows, n_words - w), rows);
        of_column[a] += on.size();
        for (const auto r : on) ++count[r];
      }
    }
#pragma omp critical
    for (std::size_t a = 0; a < m; ++a) column_begin_[a + 1] += of_column[a];
  }
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  on_.resize(row_begin_.back());
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::uint16_t> rows;
    std::array<std::uint64_t, 64 * words_of_rows> next{};
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < n_words; w += words_of_rows) {
      std::copy_n(row_begin_.data() + 64 * w, std::min(next.size(), n - 64 * w), next.begin());
      for (std::size_t a = 0; a < m; ++a) {
        for (const auto r : rows_on(values, a, w, std::min(words_of_rows, n_words - w), rows)) {
          on_[next[r]++] = static_cast<std::uint16_t>(a);
        }
      }
    }
  }
}

// Threads divide the panels.
void RowLists::list_by_column(const BitPanels& values, int threads) {
  std::partial_sum(column_begin_.begin(), column_begin_.end(), column_begin_.begin());
  rows_.resize(on_.size());
  const std::size_t n_words = values.n_words();
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::uint16_t> rows;
#pragma omp for schedule(dynamic)
    for (std::size_t first = 0; first < values.n_columns(); first += panel_lanes) {
      const std::size_t last = std::min(first + panel_lanes, values.n_columns());
      std::array<std::uint64_t, panel_lanes> next{};
      std::copy(column_begin_.data() + first, column_begin_.data() + last, next.begin());
      for (std::size_t w = 0; w < n_words; w += words_of_column) {
        for (std::size_t a = first; a < last; ++a) {
          std::uint64_t& to = next[a - first];
          for (const auto r : rows_on(values, a, w, std::min(words_of_column, n_words - w), rows)) {
            rows_[to++] = static_cast<std::uint32_t>(64 * w + r);
          }
        }
      }
    }
  }
}

}  // namespace orrery::data
