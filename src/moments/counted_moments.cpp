#include "orrery/moments/counted_moments.hpp"

#include <algorithm>
#include <utility>

namespace orrery::moments {
namespace {

/// Outer projections that a walker keeps: those of a block of pairs, if they fit in 32 MiB.
std::size_t outers_kept(const data::BitPanels& values) {
  constexpr std::size_t budget_bytes = std::size_t{32} << 20U;
  return std::clamp<std::size_t>(
      budget_bytes / projection_bytes(values.n_columns(), values.n_rows()), 1, 8);
}

}  // namespace

CountedMoments::CountedMoments(const data::BitPanels& values, PairCounts pairs,
                               StoredTriples stored_triples)
    : TiledMoments(std::move(pairs), std::move(stored_triples)), values_(values) {}

std::unique_ptr<TileCounter> CountedMoments::tiles() const {
  return count_tiles(values_, flips(), outers_kept(values_));
}

std::size_t CountedMoments::tiles_bytes() const {
  return (outers_kept(values_) + 1) * projection_bytes(values_.n_columns(), values_.n_rows());
}

std::uint64_t CountedMoments::count_off(std::span<const std::size_t> set) const {
  return moments::count_off(values_, set);
}

std::uint64_t count_off(const data::BitPanels& values, std::span<const std::size_t> set) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < values.n_words(); ++w) {
    std::uint64_t on = 0;
    for (const std::size_t x : set) on |= values.word(x, w);
    count += static_cast<std::uint64_t>(__builtin_popcountll(~on));
  }
  return count - (64 * values.n_words() - values.n_rows());  // padding rows read as off
}

}  // namespace orrery::moments
