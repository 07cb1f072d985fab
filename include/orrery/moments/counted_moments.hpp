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

 private:
  [[nodiscard]] std::unique_ptr<TileCounter> tiles() const override;
  [[nodiscard]] std::size_t tiles_bytes() const override;
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const override;

  const data::BitPanels& values_;
};

/// Rows in which all of the given variables are off. O(|set| N / 64).
[[nodiscard]] std::uint64_t count_off(const data::BitPanels& values,
                                      std::span<const std::size_t> set);

}  // namespace orrery::moments
