#include "moments/counts_ahead.hpp"

namespace orrery::moments {

std::size_t CountsAhead::bytes_for(std::span<const std::uint64_t> wanted) {
  std::size_t n = 0;
  for (std::size_t p = 0; p < wanted.size() * 8; ++p) {
    n += ((wanted[p / 8] >> (8 * (p % 8))) & 0xFFU) != 0 ? 1U : 0U;
  }
  return n * (n + 1) / 2 * 64 * sizeof(std::uint32_t);
}

}  // namespace orrery::moments
