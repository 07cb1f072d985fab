// Tiles of 8 x 8 columns: triples and quartets by projection, then pairs.
#include "moments/tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/wide_tile.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

// Triples and quartets by projection: all columns restricted to the rows in which a given variable
// takes its rarer value.
//
// Columns are complemented so that every density is at most 1/2 (x' = x XOR flip), and compacted
// onto the rows with a' = 1; a second projection inside the first leaves the rows with a' = b' = 1.
// Counting pairs there counts triples and quartets of the x', exactly, on 1/p and 1/p^2 fewer bits.

namespace {

using data::panel_lanes;

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

void Projection::reserve(std::size_t n_panels, std::size_t n_rows) {
  n_panels_ = n_panels;
  n_words_ = (n_rows + 63) / 64;
  stride_ = panel_lanes * (n_words_ + 1);  // compact() may write one word more
  if (words_.size() >= n_panels * stride_) return;
  words_ = {};  // freed first: a growing vector would hold two
  words_.resize(n_panels * stride_);
}

void Projection::from_samples(const data::BitPanels& values, std::span<const std::uint64_t> flips,
                              std::span<const std::uint64_t> mask, std::size_t n_rows,
                              std::span<const std::uint8_t> wanted_panels) {
  reserve(values.n_panels(), n_rows);
  for (std::size_t p = 0; p < n_panels_; ++p) {
    if (wanted_panels[p] == 0) continue;
    kernels::active().compact(values.panel(p), mask.data(), 1, values.n_words(),
                              flips.data() + panel_lanes * p, words_.data() + p * stride_);
  }
}

void Projection::from_projection(const Projection& outer, std::size_t column, std::size_t n_rows,
                                 std::size_t first_panel,
                                 std::span<const std::uint8_t> wanted_panels) {
  constexpr std::array<std::uint64_t, panel_lanes> no_flips{};
  reserve(outer.n_panels_, n_rows);
  const std::uint64_t* mask = outer.panel(column / panel_lanes) + column % panel_lanes;
  for (std::size_t p = first_panel; p < n_panels_; ++p) {
    if (wanted_panels[p] == 0) continue;
    kernels::active().compact(outer.panel(p), mask, panel_lanes, outer.n_words_, no_flips.data(),
                              words_.data() + p * stride_);
  }
}

void Projection::count_tile(std::size_t p, std::size_t q, std::uint32_t* counts,
                            std::size_t stride) const {
  constexpr std::size_t slice_words = 256;
  const kernels::Kernel& kernel = kernels::active();
  if (n_words_ <= slice_words) {
    kernel.tile(panel(p), panel(q), n_words_, counts, stride);
    return;
  }
  std::array<std::uint32_t, 64> slice{};
  for (std::size_t r = 0; r < 8; ++r) std::fill_n(counts + stride * r, 8, 0U);
  for (std::size_t begin = 0; begin < n_words_; begin += slice_words) {
    kernel.tile(panel(p) + 8 * begin, panel(q) + 8 * begin, std::min(slice_words, n_words_ - begin),
                slice.data(), 8);
    for (std::size_t i = 0; i < 64; ++i) counts[i / 8 * stride + i % 8] += slice[i];
  }
}

class ProjectedTiles final : public TileCounter {
 public:
  ProjectedTiles(const data::BitPanels& values, std::span<const std::uint64_t> flips,
                 std::size_t outers)
      : values_(values), flips_(flips), mask_(values.n_words()), outers_(outers) {}

  void select(std::size_t a, std::span<const std::uint8_t> panels) override;
  void triples(std::size_t p, std::size_t q, std::uint32_t* counts) override {
    outer_->rows.count_tile(p, q, counts, panel_lanes);
  }
  void select_pair(std::size_t b, std::span<const std::uint8_t> panels) override;
  void quartets(std::size_t p, std::size_t q, std::uint32_t* counts, std::size_t stride) override {
    inner_.count_tile(p, q, counts, stride);
  }

 private:
  // Rows with a' = 1, for the variables of late: a block of pairs comes back to a few of them.
  struct Outer {
    std::size_t variable = static_cast<std::size_t>(-1);
    std::vector<std::uint8_t> panels;  // the wanted ones
    Projection rows;
  };

  const data::BitPanels& values_;
  std::span<const std::uint64_t> flips_;
  std::vector<std::uint64_t> mask_;  // rows with a' = 1
  std::vector<Outer> outers_;
  std::size_t next_outer_ = 0;  // replaced next, in turn
  Outer* outer_ = nullptr;      // of the current variable
  Projection inner_;            // rows with a' = b' = 1
};

void ProjectedTiles::select(std::size_t a, std::span<const std::uint8_t> panels) {
  const auto found = std::ranges::find(outers_, a, &Outer::variable);
  if (found != outers_.end()) {
    outer_ = &*found;
    if (std::ranges::equal(found->panels, panels)) return;
  } else {
    outer_ = &outers_[next_outer_];
    next_outer_ = (next_outer_ + 1) % outers_.size();
  }
  for (std::size_t w = 0; w < mask_.size(); ++w) mask_[w] = values_.word(a, w) ^ flips_[a];
  if (values_.n_rows() % 64 != 0) {
    mask_.back() &= (std::uint64_t{1} << (values_.n_rows() % 64)) - 1;
  }
  const std::size_t n_rows = std::accumulate(
      mask_.begin(), mask_.end(), std::size_t{0}, [](std::size_t n, std::uint64_t word) {
        return n + static_cast<std::size_t>(std::popcount(word));
      });
  outer_->rows.from_samples(values_, flips_, mask_, n_rows, panels);
  outer_->variable = a;
  outer_->panels.assign(panels.begin(), panels.end());
}

void ProjectedTiles::select_pair(std::size_t b, std::span<const std::uint8_t> panels) {
  const std::uint64_t* column = outer_->rows.panel(b / panel_lanes) + b % panel_lanes;
  std::size_t n_rows = 0;
  for (std::size_t w = 0; w < outer_->rows.n_words(); ++w) {
    n_rows += static_cast<std::size_t>(std::popcount(column[panel_lanes * w]));
  }
  inner_.from_projection(outer_->rows, b, n_rows, (b + 1) / panel_lanes, panels);
}

}  // namespace

std::unique_ptr<TileCounter> count_tiles(const data::BitPanels& values,
                                         std::span<const std::uint64_t> flips, std::size_t outers) {
  return std::make_unique<ProjectedTiles>(values, flips, outers);
}

std::size_t projection_bytes(std::size_t n_columns, std::size_t n_rows) {
  return (n_columns + panel_lanes - 1) / panel_lanes * panel_lanes * (n_rows / 128 + 2) *
         sizeof(std::uint64_t);
}

void mark_panels(std::span<const std::uint64_t> wanted, std::span<std::uint8_t> panels) {
  for (std::size_t p = 0; p < panels.size(); ++p) {
    panels[p] = static_cast<std::uint8_t>((wanted[p / 8] >> (8 * (p % 8))) & 0xFFU);
  }
}

namespace {

using data::panel_lanes;

constexpr std::size_t task_panels = 32;
constexpr std::size_t task_columns = task_panels * panel_lanes;
constexpr std::size_t unit_words = 2048;
constexpr std::size_t tile_slice_words = 256;
constexpr std::size_t cached_panels = 2;

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

/// Threads that add other rows of the same square wait for each other; no other square has its
/// pairs.
std::mutex& lock_of(const Square& square) {
  static std::array<std::mutex, 64> locks;
  return locks[(square.rows * 31 + square.columns) % locks.size()];
}

void add_to_table(const TilePairs& pairs, const Square& square,
                  const std::vector<std::uint32_t>& sums, std::vector<std::uint64_t>& both_on) {
  const std::size_t first_row = square.rows * task_columns;
  const std::size_t first_column = square.columns * task_columns;
  const std::size_t last_row = std::min(first_row + task_columns, pairs.columns.size());
  const std::size_t last_column = std::min(first_column + task_columns, pairs.columns.size());
  const std::scoped_lock lock(lock_of(square));
  for (std::size_t i = first_row; i < last_row; ++i) {
    const std::uint32_t* sum = sums.data() + (i - first_row) * task_columns;
    std::uint64_t* to = both_on.data() + pairs.values.n_columns() * pairs.columns[i];
    for (std::size_t j = std::max(i, first_column); j < last_column; ++j) {
      to[pairs.columns[j]] += sum[j - first_column];
    }
  }
}

}  // namespace

void count_tiles_of(std::span<const std::uint64_t* const> rows,
                    std::span<const std::uint64_t* const> columns, bool upper, std::size_t n_words,
                    std::size_t stride, std::uint32_t* sums) {
  const kernels::Kernel& kernel = kernels::active();
  const kernels::WideTile wide_tile = kernels::wide_tile(kernel.isa);
  std::array<std::uint32_t, 64> counts{};
  for (std::size_t begin = 0; begin < n_words; begin += tile_slice_words) {
    const std::size_t n = std::min(tile_slice_words, n_words - begin);
    const std::size_t from = panel_lanes * begin;
    // A few column slices stay in the first-level cache while the row panels pass over them.
    for (std::size_t group = 0; group < columns.size(); group += cached_panels) {
      const std::size_t group_end = std::min(group + cached_panels, columns.size());
      for (std::size_t p = 0; p < rows.size(); ++p) {
        std::size_t q = upper ? std::max(p, group) : group;
        std::uint32_t* const line = sums + panel_lanes * p * stride;
        for (; q + 1 < group_end; q += 2) {
          wide_tile(rows[p] + from, columns[q] + from, columns[q + 1] + from, n,
                    rows[std::min(p + 1, rows.size() - 1)] + from, line + panel_lanes * q, stride);
        }
        if (q >= group_end) continue;
        kernel.tile(rows[p] + from, columns[q] + from, n, counts.data(), panel_lanes);
        std::uint32_t* const corner = line + panel_lanes * q;
        for (std::size_t i = 0; i < 64; ++i) corner[i / 8 * stride + i % 8] += counts[i];
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
