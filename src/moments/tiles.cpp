// Tiles by projection: all columns restricted to the rows in which a given variable takes its rarer
// value.
//
// Columns are complemented so that every density is at most 1/2 (x' = x XOR flip), and compacted
// onto the rows with a' = 1; a second projection inside the first leaves the rows with a' = b' = 1.
// Counting pairs there counts triples and quartets of the x', exactly, on 1/p and 1/p^2 fewer bits.
#include "moments/tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {
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

}  // namespace orrery::moments
