#include "families/noisy_or/quartet/scan/round.hpp"

#include <algorithm>
#include <bit>

namespace orrery::quartet {

AdjustedPairs::AdjustedPairs(const moments::MomentSource& moments,
                             const moments::Subtraction& learned)
    : m(moments.n_observed()),
      stride(moments::row_stride(m)),
      pairs(m * stride, 0),
      singles(stride, 0) {
  for (std::size_t a = 0; a < m; ++a) {
    singles[a] = moments.single(a) / learned.factor({a});
    pairs[a * stride + a] = singles[a];
    for (std::size_t b = a + 1; b < m; ++b) {
      const double pair = moments.pair(a, b) / learned.factor({a, b});
      pairs[a * stride + b] = pair;
      pairs[b * stride + a] = pair;
    }
  }
}

SiblingGraph::SiblingGraph(const AdjustedPairs& pairs, double tau_e)
    : m_(pairs.m), words_((m_ + 63) / 64), bits_(m_ * words_, 0) {
  for (std::size_t a = 0; a < m_; ++a) {
    const double* row = pairs.row(a);
    const double bar = (1 + tau_e) * pairs.singles[a];
    for (std::size_t b = 0; b < m_; ++b) {
      const bool sibling = b != a && row[b] > bar * pairs.singles[b];
      bits_[a * words_ + b / 64] |= std::uint64_t{sibling} << (b % 64);
    }
  }
}

SiblingGraph::SiblingGraph(const Calibration& calibration)
    : m_(calibration.n_variables()), words_((m_ + 63) / 64), bits_(m_ * words_, 0) {
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = a + 1; b < m_; ++b) {
      if (calibration.pair_z(a, b) < calibration.pair_bar()) continue;
      bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
      bits_[b * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
    }
  }
}

std::size_t SiblingGraph::n_later(std::size_t a) const {
  std::size_t n = 0;
  for (std::size_t w = a / 64; w < words_; ++w) {
    const std::uint64_t later = w == a / 64 ? ~std::uint64_t{1} << (a % 64) : ~std::uint64_t{0};
    n += static_cast<std::size_t>(std::popcount(bits_[a * words_ + w] & later));
  }
  return n;
}

std::size_t SiblingGraph::n_common(std::size_t a, std::size_t b) const {
  std::size_t n = 0;
  for (std::size_t w = b / 64; w < words_; ++w) {
    const std::uint64_t later = w == b / 64 ? ~std::uint64_t{1} << (b % 64) : ~std::uint64_t{0};
    n += static_cast<std::size_t>(
        std::popcount(bits_[a * words_ + w] & bits_[b * words_ + w] & later));
  }
  return n;
}

double pair_weight(const SiblingGraph& siblings, std::size_t a, std::size_t b) {
  const auto k = static_cast<double>(siblings.n_common(a, b));
  return k * k / 2 + k;
}

WorkPlan::WorkPlan(std::size_t n_variables)
    : m_(n_variables),
      side_(n_variables < 1024 ? 4 : 8),
      blocks_((n_variables + side_ - 1) / side_) {}

PairBlock WorkPlan::pairs_of(std::uint64_t unit) const {
  std::size_t row = 0;
  while (unit >= blocks_ - row) unit -= blocks_ - row++;
  const std::size_t column = row + unit;
  return {row * side_, std::min((row + 1) * side_, m_), column * side_,
          std::min((column + 1) * side_, m_)};
}

std::vector<double> WorkPlan::weights(const SiblingGraph& siblings) const {
  std::vector<double> weights(n_units(), 0);
  for (std::size_t a = 0; a < m_; ++a) {
    const std::size_t row = a / side_;
    const std::size_t row_begin = row * blocks_ - row * (row - 1) / 2 - row;  // less its own number
    for (std::size_t b = a + 1; b < m_; ++b) {
      if (!siblings.has(a, b)) continue;
      weights[row_begin + b / side_] += pair_weight(siblings, a, b);
    }
  }
  return weights;
}

std::vector<std::uint64_t> Round::later_siblings(std::size_t a) const {
  const auto all = siblings.row(a);
  std::vector<std::uint64_t> later(all.begin(), all.end());
  std::fill_n(later.begin(), a / 64, 0);
  later[a / 64] &= ~std::uint64_t{1} << (a % 64);
  return later;
}

std::size_t slab_bytes(std::size_t m, std::size_t n_siblings) {
  return n_siblings * (moments::row_stride(m) * 12 + (m + 63) / 64 * 8) + 4 * m;
}

std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options) {
  std::size_t most = 1;  // siblings of one variable
  const std::size_t m = siblings.n_variables();
  for (std::size_t a = 0; a < m; ++a) most = std::max(most, siblings.n_later(a));
  const std::size_t of_a_unit = 2 * WorkPlan(m).side() + 1;
  return std::clamp<std::size_t>(options.slab_budget_bytes / slab_bytes(m, most), 2,
                                 std::max(of_a_unit, m));
}

}  // namespace orrery::quartet
