// Some rows of a pair that is often on together say enough of what comes with it: which rows are
// looked at depends on their numbers alone, so that every split of the rows chooses the same.
#pragma once

#include <bit>
#include <cstdint>

namespace orrery::moments {

/// A share of these has a standard error below 0.01.
inline constexpr std::uint64_t enough_rows = 4096;

/// k: of a pair on together in so many rows, one in 2^k is looked at; at least half of enough_rows.
[[nodiscard]] constexpr unsigned thinning_of(std::uint64_t n_rows) noexcept {
  return n_rows <= enough_rows ? 0
                               : static_cast<unsigned>(std::bit_width((n_rows - 1) / enough_rows));
}

/// Whether this row is one of them: a hash (the finalizer of SplitMix64, Steele, Lea, Flood 2014),
/// as rows may come in an order.
[[nodiscard]] constexpr bool is_looked_at(std::uint64_t row, unsigned thinning) noexcept {
  if (thinning == 0) return true;
  row = (row ^ (row >> 30U)) * 0xBF58476D1CE4E5B9U;
  row = (row ^ (row >> 27U)) * 0x94D049BB133111EBU;
  row ^= row >> 31U;
  return (row & ((std::uint64_t{1} << thinning) - 1)) == 0;
}

}  // namespace orrery::moments
