// Counts in tiles of 8 x 8 columns: of triples and quartets, on the rows in which one or two
// variables take their rarer value; and of pairs, on all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

// Counts of triples and quartets in tiles of 8 x 8 columns: where TiledMoments gets its numbers.
//
// Columns are complemented so that every density is at most 1/2: x' = x XOR flip. A tile has
// counts[stride * (x % 8) + y % 8] for the columns x of panel p and y of panel q. Counts of several
// sets of rows add up.

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

// Pairs of dense columns by 8x16 tiles. A unit is 32 x 32 panels over 2,048 words; for 256 words at a
// time its 64 panel slices (1 MiB) stay in the second-level cache while up to 512 tiles are counted
// from them, and two column slices at a time in the first. m^2 N / 2 bit operations.

/// Pairs of these columns; of all columns in their order, the panels are used as they are.
struct TilePairs {
  const data::BitPanels& values;
  std::span<const std::uint32_t> columns;

  [[nodiscard]] std::size_t n_units() const noexcept;
  void count(std::size_t unit, std::vector<std::uint64_t>& both_on) const;
};

/// Adds the counts of each panel of `rows` with each of `columns` (words 0 .. n_words - 1 of them)
/// to sums[stride i + j]; `upper`: with those at the same place or later only.
void count_tiles_of(std::span<const std::uint64_t* const> rows,
                    std::span<const std::uint64_t* const> columns, bool upper, std::size_t n_words,
                    std::size_t stride, std::uint32_t* sums);

// Counts of the pairs of some columns with some others, for whoever does not want the table of all:
// at m = 50,000 that is 20 GB.

/// Panels [first, first + n) of some bits, which must outlive the object.
struct PanelRange {
  const data::BitPanels& values;
  std::size_t first;
  std::size_t n;
};

/// Adds to both_on[s i + j], s = 8 columns.n, the rows of words [first_word, first_word + n_words)
/// in which column i of `rows` and column j of `columns` are on. `upper`: only tiles on and above
/// the diagonal. Rows: fewer than 2^32 over all that is added. By the 8x8 kernel, as all pairs are
/// (pair_counts.hpp): 64 rows.n columns.n bit operations per row.
void count_pair_block(const PanelRange& rows, const PanelRange& columns, bool upper,
                      std::size_t first_word, std::size_t n_words,
                      std::span<std::uint32_t> both_on);

}  // namespace orrery::moments
