// Rows of bits, the slow way: every other instruction set is tested against it.
#include <bit>
#include <cstdint>

#include "kernels/implementations.hpp"

namespace orrery::kernels::scalar {

std::size_t list_rows(const std::uint64_t* words, std::size_t stride, std::size_t n_words,
                      std::uint16_t* rows) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < n_words; ++w) {
    for (std::uint64_t left = words[stride * w]; left != 0; left &= left - 1) {
      rows[n++] =
          static_cast<std::uint16_t>(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  return n;
}

void transpose(std::uint64_t* lines, std::size_t n_blocks) {
  for (std::uint64_t* block = lines; block != lines + 512 * n_blocks; block += 512) {
    for (std::size_t k = 0; k < 8; ++k) {
      std::uint64_t rows[64] = {};
      for (std::size_t c = 0; c < 64; ++c) {
        for (std::uint64_t left = block[8 * c + k]; left != 0; left &= left - 1) {
          rows[std::countr_zero(left)] |= std::uint64_t{1} << c;
        }
      }
      for (std::size_t r = 0; r < 64; ++r) block[8 * r + k] = rows[r];
    }
  }
}

void add_rows(const std::uint64_t* lines, const std::uint16_t* rows, std::size_t n_rows,
              std::uint32_t* counts) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t k = 0; k < 8; ++k) {
      for (std::uint64_t left = lines[8 * std::size_t{rows[i]} + k]; left != 0; left &= left - 1) {
        ++counts[64 * k + static_cast<std::size_t>(std::countr_zero(left))];
      }
    }
  }
}

}  // namespace orrery::kernels::scalar
