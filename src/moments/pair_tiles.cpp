#include "moments/pair_tiles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "kernels/kernels.hpp"

namespace orrery::moments {
namespace {

using data::panel_lanes;

constexpr std::size_t task_panels = 32;
constexpr std::size_t task_columns = task_panels * panel_lanes;
constexpr std::size_t unit_words = 2048;
constexpr std::size_t tile_slice_words = 128;
constexpr std::size_t cached_panels = 4;

std::size_t groups(const TilePairs& pairs) {
  return (pairs.columns.size() + task_columns - 1) / task_columns;
}
/// Squares of pairs on and above the diagonal.
std::size_t squares(const TilePairs& pairs) { return groups(pairs) * (groups(pairs) + 1) / 2; }

/// A group of panels over the words of a unit.
class PanelGroup {
 public:
  PanelGroup(const TilePairs& pairs, std::size_t group, std::size_t first_word,
             std::size_t n_words) {
    const std::size_t first = group * task_columns;
    const std::size_t last = std::min(first + task_columns, pairs.columns.size());
    n_panels_ = (last - first + panel_lanes - 1) / panel_lanes;
    if (pairs.columns.size() == pairs.values.n_columns()) {
      for (std::size_t p = 0; p < n_panels_; ++p) {
        panels_[p] = pairs.values.panel(group * task_panels + p) + panel_lanes * first_word;
      }
      return;
    }
    copies_.assign(n_panels_ * panel_lanes * n_words, 0);
    for (std::size_t p = 0; p < n_panels_; ++p) {
      panels_[p] = copies_.data() + p * panel_lanes * n_words;
    }
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t a = pairs.columns[i];
      const std::uint64_t* from =
          pairs.values.panel(a / panel_lanes) + panel_lanes * first_word + a % panel_lanes;
      std::uint64_t* to = copies_.data() + (i - first) / panel_lanes * panel_lanes * n_words +
                          (i - first) % panel_lanes;
      for (std::size_t w = 0; w < n_words; ++w) to[panel_lanes * w] = from[panel_lanes * w];
    }
  }
  [[nodiscard]] std::span<const std::uint64_t* const> panels() const noexcept {
    return {panels_.data(), n_panels_};
  }

 private:
  std::size_t n_panels_ = 0;
  std::array<const std::uint64_t*, task_panels> panels_{};
  data::AlignedVector<std::uint64_t> copies_;
};

/// A square of groups: rows <= columns.
struct Square {
  std::size_t rows;
  std::size_t columns;
};

Square square_of(const TilePairs& pairs, std::size_t number) {
  Square square{0, number};
  for (; square.columns >= groups(pairs) - square.rows; ++square.rows) {
    square.columns -= groups(pairs) - square.rows;
  }
  square.columns += square.rows;
  return square;
}

void add_to_table(const TilePairs& pairs, const Square& square,
                  const std::vector<std::uint32_t>& sums, std::vector<std::uint64_t>& both_on) {
  const std::size_t first_row = square.rows * task_columns;
  const std::size_t first_column = square.columns * task_columns;
  const std::size_t last_row = std::min(first_row + task_columns, pairs.columns.size());
  const std::size_t last_column = std::min(first_column + task_columns, pairs.columns.size());
  for (std::size_t i = first_row; i < last_row; ++i) {
    const std::uint32_t* sum = sums.data() + (i - first_row) * task_columns;
    std::uint64_t* to = both_on.data() + pairs.values.n_columns() * pairs.columns[i];
    for (std::size_t j = std::max(i, first_column); j < last_column; ++j) {
      // Other threads may be adding other rows of the same pairs.
      std::atomic_ref(to[pairs.columns[j]])
          .fetch_add(sum[j - first_column], std::memory_order_relaxed);
    }
  }
}

}  // namespace

void count_tiles_of(std::span<const std::uint64_t* const> rows,
                    std::span<const std::uint64_t* const> columns, bool upper, std::size_t n_words,
                    std::size_t stride, std::uint32_t* sums) {
  const kernels::Kernel& kernel = kernels::active();
  std::array<std::uint32_t, 64> counts{};
  for (std::size_t begin = 0; begin < n_words; begin += tile_slice_words) {
    const std::size_t n = std::min(tile_slice_words, n_words - begin);
    // A few column slices stay in the first-level cache while the row panels pass over them.
    for (std::size_t group = 0; group < columns.size(); group += cached_panels) {
      const std::size_t group_end = std::min(group + cached_panels, columns.size());
      for (std::size_t p = 0; p < rows.size(); ++p) {
        for (std::size_t q = upper ? std::max(p, group) : group; q < group_end; ++q) {
          kernel.tile(rows[p] + panel_lanes * begin, columns[q] + panel_lanes * begin, n,
                      counts.data(), panel_lanes);
          std::uint32_t* corner = sums + panel_lanes * p * stride + panel_lanes * q;
          for (std::size_t i = 0; i < 64; ++i) corner[i / 8 * stride + i % 8] += counts[i];
        }
      }
    }
  }
}

std::size_t TilePairs::n_units() const noexcept {
  return squares(*this) * ((values.n_words() + unit_words - 1) / unit_words);
}

void TilePairs::count(std::size_t unit, std::vector<std::uint64_t>& both_on) const {
  const std::size_t first_word = unit / squares(*this) * unit_words;
  const std::size_t n_words = std::min(unit_words, values.n_words() - first_word);
  const Square square = square_of(*this, unit % squares(*this));
  const bool diagonal = square.rows == square.columns;
  std::vector<std::uint32_t> sums(task_columns * task_columns, 0);
  const PanelGroup rows(*this, square.rows, first_word, n_words);
  if (diagonal) {
    count_tiles_of(rows.panels(), rows.panels(), diagonal, n_words, task_columns, sums.data());
  } else {
    const PanelGroup others(*this, square.columns, first_word, n_words);
    count_tiles_of(rows.panels(), others.panels(), diagonal, n_words, task_columns, sums.data());
  }
  add_to_table(*this, square, sums, both_on);
}

namespace {

std::vector<const std::uint64_t*> pointers(const PanelRange& range, std::size_t first_word) {
  std::vector<const std::uint64_t*> panels(range.n);
  for (std::size_t p = 0; p < range.n; ++p) {
    panels[p] = range.values.panel(range.first + p) + data::panel_lanes * first_word;
  }
  return panels;
}

}  // namespace

void count_pair_block(const PanelRange& rows, const PanelRange& columns, bool upper,
                      std::size_t first_word, std::size_t n_words,
                      std::span<std::uint32_t> both_on) {
  count_tiles_of(pointers(rows, first_word), pointers(columns, first_word), upper, n_words,
                 data::panel_lanes * columns.n, both_on.data());
}

}  // namespace orrery::moments
