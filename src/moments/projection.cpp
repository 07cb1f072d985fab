#include "moments/projection.hpp"

#include <algorithm>
#include <array>

#include "kernels/kernels.hpp"

namespace orrery::moments {

void Projection::reserve(std::size_t n_panels, std::size_t n_rows) {
  n_panels_ = n_panels;
  n_words_ = (n_rows + 63) / 64;
  stride_ = data::panel_lanes * (n_words_ + 1);  // compact() may write one word more
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
                              flips.data() + data::panel_lanes * p, words_.data() + p * stride_);
  }
}

void Projection::from_projection(const Projection& outer, std::size_t column, std::size_t n_rows,
                                 std::size_t first_panel,
                                 std::span<const std::uint8_t> wanted_panels) {
  constexpr std::array<std::uint64_t, data::panel_lanes> no_flips{};
  reserve(outer.n_panels_, n_rows);
  const std::uint64_t* mask = outer.panel(column / data::panel_lanes) + column % data::panel_lanes;
  for (std::size_t p = first_panel; p < n_panels_; ++p) {
    if (wanted_panels[p] == 0) continue;
    kernels::active().compact(outer.panel(p), mask, data::panel_lanes, outer.n_words_,
                              no_flips.data(), words_.data() + p * stride_);
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

}  // namespace orrery::moments
