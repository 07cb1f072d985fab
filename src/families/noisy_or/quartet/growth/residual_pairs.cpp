#include "families/noisy_or/quartet/growth/residual_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

ResidualPairs::ResidualPairs(const Grown& grown, const moments::MomentSource& moments, int threads,
                             double n_rows)
    : m_(moments.n_observed()), z_(m_ * m_, 0) {
  const CauseGraphSums causes(grown.causes);
  const std::size_t n = grown.n_causes();
  std::vector<double> off(m_);  // P(a off)
  {
    std::vector<double> factors(n);
    for (std::size_t a = 0; a < m_; ++a) {
      for (std::size_t c = 0; c < n; ++c) factors[c] = grown.failures[c][a];
      off[a] = (1 - grown.leaks[a]) * causes.expectation(factors);
    }
  }
  // Where values are missing each single moment rests on more rows than the pair.
  const auto other_rows = [&](std::size_t a, std::size_t b, double seen) {
    double variance = 0;
    for (const std::size_t x : {a, b}) {
      const double single = moments.single(x);
      const double of_single = std::max(n_rows * moments.observed_pair_share(x, x), seen);
      variance += single * (1 - single) * (1 / seen - 1 / of_single);
    }
    return variance;
  };
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> factors(n);
#pragma omp for schedule(dynamic, 8)
    for (std::size_t a = 0; a < m_; ++a) {
      for (std::size_t b = a + 1; b < m_; ++b) {
        for (std::size_t c = 0; c < n; ++c) {
          factors[c] = grown.failures[c][a] * grown.failures[c][b];
        }
        const double both_off =
            (1 - grown.leaks[a]) * (1 - grown.leaks[b]) * causes.expectation(factors);
        const double expected = std::clamp(1 - off[a] - off[b] + both_off, 1e-12, 1 - 1e-12);
        const double found = 1 - moments.single(a) - moments.single(b) + moments.pair(a, b);
        const double seen = std::max(n_rows * moments.observed_pair_share(a, b), 1.0);
        z_[a * m_ + b] = z_[b * m_ + a] =
            (found - expected) / std::sqrt((expected * (1 - expected) +
                                            constants::growth::least_pair_error_rows / seen) /
                                               seen +
                                           other_rows(a, b, seen));
      }
    }
  }
}

double ResidualPairs::share_beyond(double bound) const {
  std::size_t beyond = 0;
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = a + 1; b < m_; ++b) {
      if (std::abs(z(a, b)) > bound) ++beyond;
    }
  }
  const std::size_t n = m_ * (m_ - (m_ > 0 ? 1 : 0)) / 2;
  return n == 0 ? 0 : static_cast<double>(beyond) / static_cast<double>(n);
}

}  // namespace orrery::quartet
