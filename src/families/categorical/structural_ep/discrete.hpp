// Discrete distributions as messages have them: numbers, or logs.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace orrery::structural_ep {

/// Probabilities are kept above this: a state that is out is out by any message, and q can be
/// divided by one.
inline constexpr double least_probability = 1e-280;

inline double log_sum(std::span<const double> logs) noexcept {
  const double largest = std::ranges::max(logs);
  double total = 0;
  for (const double value : logs) total += std::exp(value - largest);
  return largest + std::log(total);
}

inline void normalise(std::span<double> values) noexcept {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = std::max(value / total, least_probability);
}

inline void from_logs(std::span<const double> logs, std::span<double> probabilities) noexcept {
  const double largest = std::ranges::max(logs);
  for (std::size_t j = 0; j < logs.size(); ++j) probabilities[j] = std::exp(logs[j] - largest);
  normalise(probabilities);
}

}  // namespace orrery::structural_ep
