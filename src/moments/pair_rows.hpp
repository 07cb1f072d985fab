// Pairs with a sparse column, row by row. The columns that go with it are transposed to rows of
// bits, a strip of 512 columns (eight words) wide; for each sparse column the strip's rows in which
// it is on are added up bit by bit (Kernel::add_rows). A pair costs what its sparser column has on.
//
// For 32,768 rows a strip (2 MiB) stays in the second-level cache while all columns up to its last
// are counted from it. Sums are of a band of strips: at m = 4,075 of all eight, 37 MB a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

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
