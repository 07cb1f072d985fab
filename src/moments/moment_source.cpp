#include "moments/moment_source.hpp"

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

std::vector<std::vector<double>> MomentSource::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  std::vector<std::vector<double>> values(pairs.size(), std::vector<double>(last - first, 0));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    for (std::size_t x = first; x < last; ++x) {
      if (x != a && x != b) values[k][x - first] = triple(a, b, x);
    }
  }
  return values;
}

std::vector<double> MomentSource::pairs() const {
  const std::size_t m = n_observed();
  std::vector<double> table;
  table.reserve(m * m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) table.push_back(pair(a, b));
  }
  return table;
}

std::vector<OnWithPair> MomentSource::on_with_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  const std::size_t m = n_observed();
  const std::vector<std::vector<double>> triples = triples_of_pairs(pairs, 0, m);
  std::vector<OnWithPair> found(pairs.size(), {std::vector<double>(m, 0), 1});
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    const double both = 1 - single(a) - single(b) + pair(a, b);
    for (std::size_t x = 0; x < m && both > 0; ++x) {
      if (x == a || x == b) continue;
      const double all = both - single(x) + pair(a, x) + pair(b, x) - triples[k][x];
      found[k].share[x] = std::clamp(all / both, 0.0, 1.0);
    }
  }
  return found;
}

std::size_t CountsAhead::bytes_for(std::span<const std::uint64_t> wanted) {
  std::size_t n = 0;
  for (std::size_t p = 0; p < wanted.size() * 8; ++p) {
    n += ((wanted[p / 8] >> (8 * (p % 8))) & 0xFFU) != 0 ? 1U : 0U;
  }
  return n * (n + 1) / 2 * 64 * sizeof(std::uint32_t);
}

}  // namespace orrery::moments
