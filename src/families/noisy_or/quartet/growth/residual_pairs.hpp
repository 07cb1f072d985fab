// Pairs of variables that come together more often than the network explains.
//
//   z_ab = (O - E) / sqrt((E (1 - E) + 1 / 2N) / N),  O, E: observed and expected share of rows
//   with a and b on; 1 / 2N: a pair that is expected in no row may be in one. Where values are
//   missing, what singles that rest on more rows than the pair add to the variance
//
// Standardised covariances, tried in its place, lead to networks that predict new rows of NLTCS
// 0.01 nats worse and of Jester no better.
// Expected shares are exact: sums over the network of the causes.
// Cost: m^2 / 2 sums of K terms; more where causes have two parents (model::CauseElimination).
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "moments/moment_source.hpp"

namespace orrery::quartet {

class ResidualPairs {
 public:
  /// `n_rows`: as if there were so many.
  ResidualPairs(const Grown& grown, const moments::MomentSource& moments, int threads,
                double n_rows);

  [[nodiscard]] double z(std::size_t a, std::size_t b) const noexcept { return z_[a * m_ + b]; }
  [[nodiscard]] std::size_t n_observed() const noexcept { return m_; }
  /// Share of the pairs beyond `bound` standard deviations, either way.
  [[nodiscard]] double share_beyond(double bound) const;

 private:
  std::size_t m_;
  std::vector<double> z_;
};

}  // namespace orrery::quartet
