#include "orrery/moments/moment_source.hpp"

#include <algorithm>

namespace orrery::moments {

void TripleSlab::reset(std::size_t a, std::size_t m, std::span<const std::uint64_t> wanted,
                       bool with_counts) {
  stride_ = row_stride(m);
  wanted_.assign(wanted.begin(), wanted.end());
  std::fill_n(wanted_.begin(), a / 64, 0);
  wanted_[a / 64] &= ~std::uint64_t{1} << (a % 64);  // bits above a
  rows_.resize(m);
  n_rows_ = 0;
  for (std::size_t x = a + 1; x < m; ++x) {
    if (wants(x)) rows_[x] = static_cast<std::uint32_t>(n_rows_++);
  }
  moment_.resize(n_rows_ * stride_);
  if (with_counts) count_.resize(n_rows_ * stride_);
}

}  // namespace orrery::moments
