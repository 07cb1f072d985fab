// Numbers on the log scale and next to 0 and 1, as all of inference needs them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::model {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// log(1 + e^x).
inline double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
inline double logistic(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// Probabilities of exactly 0 or 1 as nearly so: logarithms stay finite. A row that is impossible
/// costs 69 nats a contradiction.
inline constexpr double least_possible = 1e-30;
inline double kept_possible(double probability) {
  return std::clamp(probability, least_possible, 1 - 1e-15);
}

}  // namespace orrery::model
