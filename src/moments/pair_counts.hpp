// Counts of rows in which two variables are both off: the second-order negative moments, as
// integers, so that any split over ranks and threads merges to the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

/// Of one core for a pair of dense columns and a row, by tiles; measured on AVX-512 (bench_pairs).
/// Plans weigh ways to count by it.
inline constexpr double pair_seconds = 1.7e-12;

struct PairCounts {
  std::size_t n_observed = 0;
  std::uint64_t n_samples = 0;
  /// m x m, symmetric: off[a * m + b] = #(a = 0, b = 0); the diagonal holds #(a = 0).
  std::vector<std::uint64_t> off;

  [[nodiscard]] std::uint64_t at(std::size_t a, std::size_t b) const noexcept {
    return off[a * n_observed + b];
  }
  [[nodiscard]] std::uint64_t single(std::size_t a) const noexcept { return at(a, a); }
};

/// Rows in which both are on, as numbered units of work, which may be counted in any order, by any
/// thread of any rank: they depend on the data alone. Columns are ranked by their density. The
/// sparse ones are counted row by row (RowPairs below), the dense ones among themselves by tiles
/// (TilePairs of tiles.hpp); where sparse ends is what costs least (split_costs).
class PairCounter {
 public:
  /// Of these rows, fewer than 2^32, which must outlive the object. Looks at some of them.
  explicit PairCounter(const data::BitPanels& values);

  [[nodiscard]] std::size_t n_units() const noexcept;
  /// Adds a unit into `both_on` (m x m): rows of the pair to [a m + b] or to [b m + a]; the two add
  /// up. Several threads may add at the same time.
  void count(std::size_t unit, std::vector<std::uint64_t>& both_on) const;
  /// Of one core with AVX-512, for so many rows like these.
  [[nodiscard]] double expected_seconds(std::uint64_t n_rows) const;
  /// The same of these rows, over what tiles of all columns would take: 1 at most.
  [[nodiscard]] double expected_share_of_tiles() const;

 private:
  const data::BitPanels& values_;
  std::vector<double> densities_;     // ascending
  std::vector<std::uint32_t> order_;  // columns by density
  std::size_t n_sparse_;              // the first of them
};

/// Inclusion-exclusion from on-counts (of a PairCounter) to off-counts, in their place.
PairCounts pair_counts_from_on(std::size_t n_observed, std::uint64_t n_samples,
                               std::vector<std::uint64_t> both_on);
/// All rows, in the OpenMP threads of the caller.
PairCounts count_pairs(const data::BitPanels& values);

// Which columns are counted row by row and which by tiles: what costs least by a model of the two.
// It depends on the data alone, so that every rank has the same units.

/// Share of rows with a one, a column; of evenly spread rows, some 65,536 if there are more.
[[nodiscard]] std::vector<double> column_densities(const data::BitPanels& values);

/// [s]: nanoseconds of one core for all pairs of `n_rows` rows, if the s first columns are counted
/// row by row (RowPairs below) and the others among themselves by tiles (TilePairs of tiles.hpp).
/// `densities`: ascending.
[[nodiscard]] std::vector<double> split_costs(std::span<const double> densities,
                                              std::uint64_t n_rows);

// Pairs with a sparse column, row by row. The columns that go with it are transposed to rows of
// bits, a strip of 512 columns (eight words) wide; for each sparse column the strip's rows in which
// it is on are added up bit by bit (Kernel::add_rows). A pair costs what its sparser column has on.
//
// For 32,768 rows a strip (2 MiB) stays in the second-level cache while all columns up to its last
// are counted from it. Sums are of a band of strips: at m = 4,075 of all eight, 37 MB a thread.

inline constexpr std::size_t rows_at_once = 32'768;
/// Sums go to the table of all pairs after so many rows.
inline constexpr std::size_t rows_of_unit = 16 * rows_at_once;

/// `order`: columns by rising density; the first `n_sparse` are to be paired with each other and
/// with all others.
struct RowPairs {
  const data::BitPanels& values;
  std::span<const std::uint32_t> order;
  std::size_t n_sparse;
  std::size_t most_sums = std::size_t{1} << 24U;  ///< of a unit, 4 bytes each; at least a strip's

  [[nodiscard]] std::size_t n_units() const noexcept;
  void count(std::size_t unit, std::vector<std::uint64_t>& both_on) const;
};

}  // namespace orrery::moments
