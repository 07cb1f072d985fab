// A 64 x 64 matrix of bits: rows of samples to words of columns and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery::data {

using BitSquare = std::array<std::uint64_t, 64>;

/// Afterwards bit r of word c is what bit c of word r was. Swaps the two off-diagonal quarters of
/// the square, then those of each quarter, down to single bits: 6 * 32 exchanges.
inline void transpose(BitSquare& square) noexcept {
  std::uint64_t low_half = 0x00000000FFFFFFFFU;  // the lower `width` bits of every 2 * width
  for (std::size_t width = 32; width > 0; width /= 2) {
    for (std::size_t base = 0; base < 64; base += 2 * width) {
      for (std::size_t row = base; row < base + width; ++row) {
        const std::uint64_t differ = ((square[row] >> width) ^ square[row + width]) & low_half;
        square[row] ^= differ << width;
        square[row + width] ^= differ;
      }
    }
    low_half ^= low_half << (width / 2);
  }
}

}  // namespace orrery::data
