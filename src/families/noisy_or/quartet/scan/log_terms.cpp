#include "families/noisy_or/quartet/scan/log_terms.hpp"

#include <cmath>

namespace orrery::quartet {

double coupling(double prior, double failure_a, double failure_b) {
  return std::log1p(-prior * (1 - failure_a * failure_b)) - std::log1p(-prior * (1 - failure_a)) -
         std::log1p(-prior * (1 - failure_b));
}

double prior_of_coupling(double coupled, double failure_a, double failure_b) {
  double low = 0;
  double high = .5;
  for (int i = 0; i < 60; ++i) {
    const double middle = .5 * (low + high);
    (coupling(middle, failure_a, failure_b) < coupled ? low : high) = middle;
  }
  return .5 * (low + high);
}

void LogTerms::add(double prior, std::span<const double> failures) {
  const auto u = static_cast<std::uint32_t>(priors_.size());
  for (std::size_t x = 0; x < failures.size(); ++x) {
    if (failures[x] < 1) causes_of_[x].push_back(u);
  }
  priors_.push_back(prior);
  failures_.emplace_back(failures.begin(), failures.end());
}

std::vector<std::uint32_t> LogTerms::causes_of(std::size_t a, std::size_t b) const {
  std::vector<std::uint32_t> both;
  for (const std::uint32_t u : causes_of_[a]) {
    if (failures_[u][b] < 1) both.push_back(u);
  }
  return both;
}

double LogTerms::pair(std::size_t a, std::size_t b) const {
  double sum = 0;
  for (const std::uint32_t u : causes_of_[a]) {
    if (failures_[u][b] < 1) sum += coupling(priors_[u], failures_[u][a], failures_[u][b]);
  }
  return sum;
}

// With p' = p f_x / d, d = 1 - p (1 - f_x):  1 - p' (1 - f) = (d - p f_x (1 - f)) / d.
std::vector<double> LogTerms::factors_given_off(std::size_t a, std::size_t b) const {
  std::vector<double> factors(causes_of_.size(), std::exp(pair(a, b)));
  for (const std::uint32_t u : causes_of(a, b)) {
    const std::vector<double>& f = failures_[u];
    const double unconditional = std::exp(coupling(priors_[u], f[a], f[b]));
    for (std::size_t x = 0; x < f.size(); ++x) {
      if (!(f[x] < 1)) continue;
      const double d = 1 - priors_[u] * (1 - f[x]);
      const double on = priors_[u] * f[x];
      factors[x] *= (d - on * (1 - f[a] * f[b])) * d /
                    ((d - on * (1 - f[a])) * (d - on * (1 - f[b])) * unconditional);
    }
  }
  return factors;
}

}  // namespace orrery::quartet
