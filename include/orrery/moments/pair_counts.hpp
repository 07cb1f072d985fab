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

/// Rows in which both are on, over words [first_word, last_word) of the columns, added into
/// `both_on` (m x m, upper triangle and diagonal). Fewer than 2^32 rows. The part that ranks split.
/// Time m^2 N / 2 bit operations in 8x8 tiles; OpenMP threads of the caller share tile rows.
void accumulate_pairs(const data::BitPanels& values, std::size_t first_word, std::size_t last_word,
                      std::vector<std::uint64_t>& both_on);
/// Inclusion-exclusion from on-counts (upper triangle and diagonal) to off-counts.
PairCounts pair_counts_from_on(std::size_t n_observed, std::uint64_t n_samples,
                               const std::vector<std::uint64_t>& both_on);
/// Both steps over all rows.
PairCounts count_pairs(const data::BitPanels& values);

}  // namespace orrery::moments
