// Negative moments counted from samples in memory.
#pragma once

#include <memory>

#include "data/row_lists.hpp"
#include "moments/tiled_moments.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

class CountedMoments final : public TiledMoments {
 public:
  /// `values` must outlive the object. N < 2^32. With `stored_triples`, triples are read, not
  /// counted (thread-safe function).
  CountedMoments(const data::BitPanels& values, PairCounts pairs,
                 StoredTriples stored_triples = {});

  /// Below 1 in 20 on. Not while other threads count.
  void prepare_many_pairs(int threads) const override;
  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;
  [[nodiscard]] OnWithPair on_with_pair(const std::array<std::uint32_t, 2>& pair) const override;

 private:
  [[nodiscard]] std::unique_ptr<TileCounter> tiles() const override;
  [[nodiscard]] std::size_t tiles_bytes() const override;
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const override;

  const data::BitPanels& values_;
  mutable std::unique_ptr<const data::RowLists> lists_;  // once many pairs are to be counted
};

/// Adds the rows in which both of a pair are off and x is on to counts[pair][x - first], for up to
/// eight pairs and first <= x < last: one pass of tiles over the bits of those x.
void count_on_beside_pairs(const data::BitPanels& values,
                           std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
                           std::size_t last, std::vector<std::vector<std::uint64_t>>& counts);
/// Adds the rows in which both of a pair and x are on to counts[pair][x - first], in the same way;
/// of pair k one row in 2^thinnings[k] is looked at. `first_row`: the number of the first of these
/// rows, a multiple of 64.
void count_on_with_pairs(const data::BitPanels& values, std::uint64_t first_row,
                         std::span<const std::array<std::uint32_t, 2>> pairs,
                         std::span<const unsigned> thinnings, std::size_t first, std::size_t last,
                         std::vector<std::vector<std::uint64_t>>& counts);
/// The same for all x of one pair from the lists of `values`: takes what is on in the rows looked
/// at, and a look at each row of the rarer of the two.
[[nodiscard]] std::vector<std::uint64_t> list_on_with_pair(const data::BitPanels& values,
                                                           const data::RowLists& lists,
                                                           const std::array<std::uint32_t, 2>& pair,
                                                           unsigned thinning);
/// Rows in which all of the given variables are off. O(|set| N / 64).
[[nodiscard]] std::uint64_t count_off(const data::BitPanels& values,
                                      std::span<const std::size_t> set);

}  // namespace orrery::moments
