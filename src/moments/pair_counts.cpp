// Pair counts by 8x8 tiles. A unit is 32 x 32 tiles over 2,048 words; for 128 words at a time its
// 64 panel slices (512 KiB) stay in the second-level cache while up to 1,024 tiles are counted from
// them, and four column slices at a time in the first.
// Time m^2 N / 2 bit operations; memory O(m^2). The first thing to break at 1,000 ranks is the
// reduction of m^2 words (133 MB at m = 4,075), not the counting.
#include "orrery/moments/pair_counts.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "orrery/kernels/kernels.hpp"

namespace orrery::moments {
namespace {

constexpr std::size_t task_panels = 32;
constexpr std::size_t task_columns = task_panels * data::panel_lanes;
constexpr std::size_t unit_words = 2048;
constexpr std::size_t slice_words = 128;
constexpr std::size_t cached_panels = 4;

// A word range of two groups of panels; `sums` is task_columns x task_columns.
void count_task(const data::BitPanels& values, std::size_t first_word, std::size_t last_word,
                std::size_t row_panel, std::size_t column_panel, std::vector<std::uint32_t>& sums) {
  const kernels::Kernel& kernel = kernels::active();
  const std::size_t row_end = std::min(row_panel + task_panels, values.n_panels());
  const std::size_t column_end = std::min(column_panel + task_panels, values.n_panels());
  std::array<std::uint32_t, 64> counts{};
  for (std::size_t begin = first_word; begin < last_word; begin += slice_words) {
    const std::size_t n_words = std::min(slice_words, last_word - begin);
    // A few column slices stay in the first-level cache while the row panels pass over them.
    for (std::size_t group = column_panel; group < column_end; group += cached_panels) {
      const std::size_t group_end = std::min(group + cached_panels, column_end);
      for (std::size_t p = row_panel; p < row_end; ++p) {
        for (std::size_t q = std::max(p, group); q < group_end; ++q) {
          kernel.tile(values.panel(p) + 8 * begin, values.panel(q) + 8 * begin, n_words,
                      counts.data(), 8);
          std::uint32_t* corner =
              sums.data() + 8 * (p - row_panel) * task_columns + 8 * (q - column_panel);
          for (std::size_t i = 0; i < 64; ++i) corner[i / 8 * task_columns + i % 8] += counts[i];
        }
      }
    }
  }
}

}  // namespace

namespace {

/// Squares of pairs on and above the diagonal.
std::size_t n_squares(const data::BitPanels& values) {
  const std::size_t groups = (values.n_panels() + task_panels - 1) / task_panels;
  return groups * (groups + 1) / 2;
}

}  // namespace

std::size_t n_pair_units(const data::BitPanels& values) {
  return n_squares(values) * ((values.n_words() + unit_words - 1) / unit_words);
}

void accumulate_pair_unit(const data::BitPanels& values, std::size_t unit,
                          std::vector<std::uint64_t>& both_on) {
  const std::size_t m = values.n_columns();
  const std::size_t first_word = unit / n_squares(values) * unit_words;
  std::size_t column_group = unit % n_squares(values);
  std::size_t row_group = 0;
  const std::size_t groups = (values.n_panels() + task_panels - 1) / task_panels;
  for (; column_group >= groups - row_group; ++row_group) column_group -= groups - row_group;
  column_group += row_group;

  std::vector<std::uint32_t> sums(task_columns * task_columns, 0);
  count_task(values, first_word, std::min(first_word + unit_words, values.n_words()),
             row_group * task_panels, column_group * task_panels, sums);
  const std::size_t first_row = row_group * task_columns;
  const std::size_t first_column = column_group * task_columns;
  for (std::size_t a = first_row; a < std::min(first_row + task_columns, m); ++a) {
    const std::uint32_t* row = sums.data() + (a - first_row) * task_columns;
    for (std::size_t b = std::max(a, first_column); b < std::min(first_column + task_columns, m);
         ++b) {
      // Other threads may be adding other rows of the same pairs.
      std::atomic_ref(both_on[a * m + b])
          .fetch_add(row[b - first_column], std::memory_order_relaxed);
    }
  }
}

PairCounts pair_counts_from_on(std::size_t n_observed, std::uint64_t n_samples,
                               const std::vector<std::uint64_t>& both_on) {
  const std::size_t m = n_observed;
  PairCounts counts{m, n_samples, std::vector<std::uint64_t>(m * m)};
  for (std::size_t a = 0; a < m; ++a) {
    counts.off[a * m + a] = n_samples - both_on[a * m + a];
    for (std::size_t b = a + 1; b < m; ++b) {
      const std::uint64_t off =
          n_samples + both_on[a * m + b] - both_on[a * m + a] - both_on[b * m + b];
      counts.off[a * m + b] = off;
      counts.off[b * m + a] = off;
    }
  }
  return counts;
}

PairCounts count_pairs(const data::BitPanels& values) {
  std::vector<std::uint64_t> both_on(values.n_columns() * values.n_columns(), 0);
#pragma omp parallel for schedule(dynamic) default(none) shared(values, both_on)
  for (std::size_t unit = 0; unit < n_pair_units(values); ++unit) {
    accumulate_pair_unit(values, unit, both_on);
  }
  return pair_counts_from_on(values.n_columns(), values.n_rows(), both_on);
}

}  // namespace orrery::moments
