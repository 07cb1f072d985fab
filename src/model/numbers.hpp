// Numbers that models share: tolerances, signs and limits, the log scale, and probabilities next to
// 0 and 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orrery::model {

/// Probabilities, moments and covariances that were read from a text are rounded.
inline constexpr double text_rounding = 1e-9;

/// 95 % of a normal distribution are within so many standard deviations.
inline constexpr double normal95 = 1.959963984540054;

/// The sign of a variable of a tree, whose tables have places 0 and 1.
constexpr double sign_of(std::size_t value) { return value == 1 ? 1 : -1; }

// What exact inference of one row may take, whichever way it goes.

/// Numbers that a thread may hold: 256 MiB by itself, 4 GiB if it must be exact.
inline constexpr double automatic_cells = 0x1p25;
inline constexpr double most_exact_cells = 0x1p29;
/// Multiply-adds of a row that must be exact: an hour or so.
inline constexpr double most_exact_work = 0x1p41;

/// Scratch that is kept from row to row only grows.
template <class Values>
void grow(Values& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

// The log scale, and probabilities of 0 and 1, as all of inference needs them.

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// log(e^a + e^b); both may be -infinity.
inline double log_add(double a, double b) noexcept {
  const double larger = std::max(a, b);
  return larger == -infinity ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}
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
