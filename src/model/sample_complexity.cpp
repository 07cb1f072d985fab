// Jernite, Halpern, Sontag 2013, Theorems 1 and 2.
//
//   paper           code
//   epsilon, zeta   epsilon
//   W               width
//   d               depth
//   delta           delta, the probability of failure
//
// The extraction of the theorems lost its fractions; read as
//   Theorem 1   N = O(max(1 / zeta^8, 1 / (n_min^8 p_min^2 (1 - f_max)^8)) ln(2m / delta))
//               error(N) <= O(E sqrt(ln(2m / delta) / N)),
//               E = 1 / (f_min^18 (1 - f_max)^6 n_min^28 p_min^13)
//   Theorem 2   N times (W 4^W E)^(2d).
//
// Cost: P(x off) of each variable.
#include "model/sample_complexity.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::model {

SampleComplexity sample_complexity(const NoisyOrNetwork& network, double epsilon, int depth,
                                   std::size_t width, double delta) {
  SampleComplexity result;
  for (const Cause& cause : network.causes()) {
    if (cause.prior == 0) continue;
    result.least_prior = std::min(result.least_prior, cause.prior);
    result.priors_below_half = result.priors_below_half && cause.prior <= 0.5;
  }
  for (const Edge& edge : network.edges()) {
    result.least_failure = std::min(result.least_failure, edge.failure);
    result.most_failure = std::max(result.most_failure, edge.failure);
  }
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    result.least_off = std::min(result.least_off, network.negative_moment({&a, 1}));
  }
  const double strength = std::log10(1 - result.most_failure);
  const double off = std::log10(result.least_off);
  const double prior = std::log10(result.least_prior);
  result.log10_error_scale =
      -(18 * std::log10(result.least_failure) + 6 * strength + 28 * off + 13 * prior);
  const double w = static_cast<double>(width);
  const double of_a_round =
      depth == 0 ? 0 : std::log10(w) + w * std::log10(4) + result.log10_error_scale;
  result.log10_samples =
      2 * depth * of_a_round +
      std::max(-8 * std::log10(epsilon), -(8 * off + 2 * prior + 8 * strength)) +
      std::log10(std::log(2 * static_cast<double>(network.n_observed()) / delta));
  return result;
}

}  // namespace orrery::model
