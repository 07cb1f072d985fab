// Counts of triples and quartets in tiles of 8 x 8 columns: where TiledMoments gets its numbers.
//
// Columns are complemented so that every density is at most 1/2: x' = x XOR flip. A tile has
// counts[stride * (x % 8) + y % 8] for the columns x of panel p and y of panel q. Counts of several
// sets of rows add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

class TileCounter {
 public:
  TileCounter() = default;
  TileCounter(const TileCounter&) = delete;
  TileCounter& operator=(const TileCounter&) = delete;
  virtual ~TileCounter() = default;

  /// Makes `a` the current variable. Only panels whose byte is set in `panels` will be asked for.
  virtual void select(std::size_t a, std::span<const std::uint8_t> panels) = 0;
  /// #(a' = x' = y' = 1), stride 8.
  virtual void triples(std::size_t p, std::size_t q, std::uint32_t* counts) = 0;
  /// Makes b, of a selected panel of `a`, the second variable; panels as above, a part of them.
  virtual void select_pair(std::size_t b, std::span<const std::uint8_t> panels) = 0;
  /// #(a' = b' = x' = y' = 1).
  virtual void quartets(std::size_t p, std::size_t q, std::uint32_t* counts,
                        std::size_t stride) = 0;
};

/// Counts on bits in memory, by projection. `values` and `flips` (a word a
/// column: all ones if it is complemented) must outlive the object. `outers`: projections kept for
/// variables of late.
std::unique_ptr<TileCounter> count_tiles(const data::BitPanels& values,
                                         std::span<const std::uint64_t> flips, std::size_t outers);
/// Bytes of one projection: the rarer value has half the rows at most.
[[nodiscard]] std::size_t projection_bytes(std::size_t n_columns, std::size_t n_rows);

/// A byte a panel: a variable of it is wanted.
void mark_panels(std::span<const std::uint64_t> wanted, std::span<std::uint8_t> panels);

}  // namespace orrery::moments
