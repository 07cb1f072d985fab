// Negative moments counted from samples in memory.
#pragma once

#include "orrery/data/sample_matrix.hpp"
#include "orrery/moments/tiled_moments.hpp"

namespace orrery::moments {

class CountedMoments final : public TiledMoments {
 public:
  /// `values` must outlive the object. N < 2^32. With `stored_triples`, triples are read, not
  /// counted (thread-safe function).
  CountedMoments(const data::BitPanels& values, PairCounts pairs,
                 StoredTriples stored_triples = {});

  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;

 private:
  [[nodiscard]] std::unique_ptr<TileCounter> tiles() const override;
  [[nodiscard]] std::size_t tiles_bytes() const override;
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const override;

  const data::BitPanels& values_;
};

/// Adds the rows in which both of a pair are off and x is on to counts[pair][x - first], for up to
/// eight pairs and first <= x < last: one pass of tiles over the bits of those x.
void count_on_beside_pairs(const data::BitPanels& values,
                           std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
                           std::size_t last, std::vector<std::vector<std::uint64_t>>& counts);
/// Rows in which all of the given variables are off. O(|set| N / 64).
[[nodiscard]] std::uint64_t count_off(const data::BitPanels& values,
                                      std::span<const std::size_t> set);

}  // namespace orrery::moments
