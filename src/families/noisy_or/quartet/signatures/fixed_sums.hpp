// Sums that several threads and ranks add up to the same bytes, in any order: of integers.
#pragma once

#include <cmath>
#include <cstdint>

namespace orrery::quartet {

// Probabilities of up to 2^31 rows are multiples of 2^-32; what is squared (most_shared^2 of 10^6
// rows), and logarithms, of 2^-20.
inline constexpr double fine = 0x1p32;
inline constexpr double coarse = 0x1p20;

// Rounded to the nearest, in two instructions instead of a call.
inline void add_fixed(std::uint64_t& sum, double value, double unit) {
  sum += static_cast<std::uint64_t>(
      static_cast<std::int64_t>(value * unit + std::copysign(.5, value)));
}
inline double real(std::uint64_t word, double unit) {
  return static_cast<double>(static_cast<std::int64_t>(word)) / unit;
}

}  // namespace orrery::quartet
