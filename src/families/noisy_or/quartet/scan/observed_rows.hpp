// Rows that moments rest on where values are missing: those in which all of a set are observed.
//
// Those of a variable and of a pair are counted. Those of more are taken to follow from the pairs,
//   N_S = N * (product of the pairs' shares) / (product of the variables' shares)^(|S| - 2),
// which is exact where variables are missing independently of each other, and as many at the most
// as of any pair in S, which is exact where they are missing together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "moments/moment_source.hpp"

namespace orrery::quartet {

class ObservedRows {
 public:
  /// 8 m^2 bytes, if values are missing.
  explicit ObservedRows(const moments::MomentSource& moments);

  /// No value is missing: everything rests on all rows.
  [[nodiscard]] bool complete() const noexcept { return share_.empty(); }
  [[nodiscard]] double all() const noexcept { return n_; }
  [[nodiscard]] double of(std::size_t a, std::size_t b) const {
    return complete() ? n_ : n_ * share_[a * m_ + b];
  }
  /// Of every subset of the members, as a mask; [0]: all.
  template <std::size_t K>
  [[nodiscard]] std::array<double, std::size_t{1} << K> of_subsets(
      const std::array<std::uint32_t, K>& members) const;

 private:
  std::size_t m_;
  double n_;
  std::vector<double> share_;  // m x m, the diagonal of single variables; empty if complete
};

template <std::size_t K>
std::array<double, std::size_t{1} << K> ObservedRows::of_subsets(
    const std::array<std::uint32_t, K>& members) const {
  std::array<double, std::size_t{1} << K> rows;
  rows.fill(n_);
  if (complete()) return rows;
  for (std::size_t set = 1; set < rows.size(); ++set) {
    double share = 1;
    double most = 1;
    for (std::size_t i = 0; i < K; ++i) {
      if (((set >> i) & 1U) == 0) continue;
      const double of_i = share_[members[i] * m_ + members[i]];
      share *= of_i;
      most = std::min(most, of_i);
      for (std::size_t j = 0; j < i; ++j) {
        if (((set >> j) & 1U) == 0) continue;
        const double both = share_[members[i] * m_ + members[j]];
        share *= both / (of_i * share_[members[j] * m_ + members[j]]);
        most = std::min(most, both);
      }
    }
    rows[set] = n_ * std::min(share, most);
  }
  return rows;
}

}  // namespace orrery::quartet
