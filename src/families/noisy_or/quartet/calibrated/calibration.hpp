// Log cumulants of pairs and triples with the learned causes subtracted, held against their own
// standard errors.
//
//   L_ab  = log P(ab) / (P(a) P(b))                 > 0 if a and b share a cause
//   L_abx = log CPMI(a, b | x) - log PMI(a, b)      < 0 if the three share one (Lemma 2)
//
// Causes add in L: subtracting one subtracts its term. Everything is of the off-states; P is
// (rows + 1/2) / (N + 1/2), N the rows that observed all of the set.
//
// Where values are missing, moments rest on the rows in which all of a set are observed. Those of a
// variable and of a pair are counted. Those of more are taken to follow from the pairs,
//   N_S = N * (product of the pairs' shares) / (product of the variables' shares)^(|S| - 2),
// which is exact where variables are missing independently of each other, and as many at the most
// as of any pair in S, which is exact where they are missing together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"

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

class Calibration {
 public:
  /// The sources must outlive the object. O(causes m^2) time, 16 m^2 bytes, 24 where
  /// values are missing.
  Calibration(const moments::MomentSource& moments, const moments::Subtraction& learned,
              double alpha);

  /// z of L_ab against no dependence beyond the learned causes.
  [[nodiscard]] double pair_z(std::size_t a, std::size_t b) const;
  /// z of -L_abx over its delta-method error. `triple`: P(a, b, x off) as counted.
  [[nodiscard]] double triple_z(std::size_t a, std::size_t b, std::size_t x, double triple) const;
  /// Lane `lane` of a batch of fits. `adjusted`: moments with the learned causes divided off.
  void fill(FitBatch& batch, std::size_t lane, const std::array<std::uint32_t, 4>& members,
            const std::array<double, 16>& adjusted) const;

  [[nodiscard]] std::size_t n_variables() const noexcept { return m_; }
  /// Least z of a pair: Benjamini-Hochberg over all pairs.
  [[nodiscard]] double pair_bar() const noexcept { return pair_bar_; }
  /// Least z of the triples of a quartet that is tested.
  [[nodiscard]] double triple_bar() const noexcept {
    return learned_.empty() ? constants::calibrated::triple_bar
                            : constants::calibrated::triple_bar_after_subtraction;
  }
  /// Least z of a child with each pair of a quartet.
  [[nodiscard]] double child_bar() const noexcept {
    return learned_.empty() ? constants::calibrated::child_bar
                            : constants::calibrated::child_bar_after_subtraction;
  }
  [[nodiscard]] bool has_learned() const noexcept { return !learned_.empty(); }

 private:
  [[nodiscard]] static double smoothed(double probability, double n_rows) {
    return (n_rows * probability + 0.5) / (n_rows + 0.5);
  }
  [[nodiscard]] double off(std::size_t a, std::size_t b) const { return off_[a * m_ + b]; }
  [[nodiscard]] double triple_variance(const std::array<std::uint32_t, 3>& members, double p) const;
  void choose_pair_bar(double alpha);

  const moments::Subtraction& learned_;
  std::size_t m_;
  ObservedRows rows_;
  double n_;                      // all rows
  std::vector<double> off_;       // m x m: P(ab off), the diagonal P(a off)
  std::vector<double> residual_;  // m x m: log of it without the learned causes
  double pair_bar_ = 0;
};

}  // namespace orrery::quartet
