// Counts of rows in which two variables are both off: the second-order negative moments, as
// integers, so that any split over ranks and threads merges to the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

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

/// Rows in which both are on, as numbered units of work: a square of 256 x 256 pairs over 131,072
/// rows. Units may be counted in any order, by any thread of any rank.
std::size_t n_pair_units(const data::BitPanels& values);
/// Adds unit `unit` into `both_on` (m x m, upper triangle and diagonal); several threads may add to
/// it at the same time. Fewer than 2^32 rows.
void accumulate_pair_unit(const data::BitPanels& values, std::size_t unit,
                          std::vector<std::uint64_t>& both_on);
/// Inclusion-exclusion from on-counts (upper triangle and diagonal) to off-counts.
PairCounts pair_counts_from_on(std::size_t n_observed, std::uint64_t n_samples,
                               const std::vector<std::uint64_t>& both_on);
/// All rows, in the OpenMP threads of the caller.
PairCounts count_pairs(const data::BitPanels& values);

}  // namespace orrery::moments
