// The slow, hand-checkable kernel: every other one is tested against it.
#include <bit>
#include <cstdint>

#include "kernels/implementations.hpp"

namespace orrery::kernels {
namespace {

void tile(const std::uint64_t* row_panel, const std::uint64_t* column_panel, std::size_t n_words,
          std::uint32_t* counts, std::size_t stride) {
  for (std::size_t r = 0; r < 8; ++r) {
    for (std::size_t c = 0; c < 8; ++c) {
      int sum = 0;
      for (std::size_t w = 0; w < n_words; ++w) {
        sum += std::popcount(row_panel[8 * w + r] & column_panel[8 * w + c]);
      }
      counts[stride * r + c] = static_cast<std::uint32_t>(sum);
    }
  }
}

std::size_t compact(const std::uint64_t* panel, const std::uint64_t* mask, std::size_t mask_stride,
                    std::size_t n_words, const std::uint64_t* flips, std::uint64_t* packed) {
  std::uint64_t lanes[8] = {};
  std::size_t bits = 0;  // packed so far
  for (std::size_t w = 0; w < n_words; ++w) {
    for (std::uint64_t left = mask[mask_stride * w]; left != 0; left &= left - 1) {
      const int source = std::countr_zero(left);
      for (std::size_t i = 0; i < 8; ++i) {
        lanes[i] |= (((panel[8 * w + i] ^ flips[i]) >> source) & 1U) << (bits % 64);
      }
      if (++bits % 64 == 0) {
        for (std::size_t i = 0; i < 8; ++i) {
          packed[bits / 64 * 8 - 8 + i] = lanes[i];
          lanes[i] = 0;
        }
      }
    }
  }
  if (bits % 64 != 0) {
    for (std::size_t i = 0; i < 8; ++i) packed[bits / 64 * 8 + i] = lanes[i];
  }
  return (bits + 63) / 64;
}

}  // namespace

const Kernel scalar_kernel{Isa::scalar,       "scalar",        tile, compact, scalar::list_rows,
                           scalar::transpose, scalar::add_rows};

}  // namespace orrery::kernels
