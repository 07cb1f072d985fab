// Numbers that models share: tolerances, signs and limits, the log scale, probabilities next to 0
// and 1, products of many, and a real with an exponent of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

// What the parts of SparsePosterior share.

namespace sparse {

inline constexpr double least_probability = 1e-9;  // of probabilities
inline double inside(double probability) {
  return std::clamp(probability, least_probability, 1 - least_probability);
}

/// Of factors from 1e-9 to 1e9: a logarithm for many.
class LogProduct {
 public:
  void times(double factor) {
    product_ *= factor;
    if (product_ > 1e200 || product_ < 1e-200) {
      log_ += std::log(product_);
      product_ = 1;
    }
  }
  [[nodiscard]] double log() const { return log_ + std::log(product_); }

 private:
  double product_ = 1;
  double log_ = 0;
};

}  // namespace sparse

/// A nonnegative real with an exponent of its own: products of thousands of small probabilities
/// neither underflow nor need a logarithm per factor.
///
/// mantissa * 2^(256 exponent). Zero, or the mantissa is at least 2^-256; it stays of order 1
/// upwards only by sums, so a double holds it.
class ScaledReal {
 public:
  ScaledReal() = default;  ///< zero
  /// `value` >= 0.
  explicit ScaledReal(double value) noexcept : mantissa_(value) { normalise(); }

  [[nodiscard]] bool is_zero() const noexcept { return mantissa_ == 0; }

  /// Both mantissas are at least 2^-256: their product is a normal double.
  ScaledReal& operator*=(const ScaledReal& other) noexcept {
    mantissa_ *= other.mantissa_;
    exponent_ += other.exponent_;
    normalise();
    return *this;
  }
  /// `factor` in [0, 1].
  ScaledReal& operator*=(double factor) noexcept { return *this *= ScaledReal(factor); }

  ScaledReal& operator+=(const ScaledReal& other) noexcept {
    if (other.is_zero()) return *this;
    if (is_zero() || other.exponent_ > exponent_) {
      const ScaledReal smaller = *this;
      *this = other;
      mantissa_ += smaller.mantissa_at(exponent_);
    } else {
      mantissa_ += other.mantissa_at(exponent_);
    }
    return *this;
  }

  /// Natural logarithm; -infinity of zero.
  [[nodiscard]] double log() const noexcept {
    if (is_zero()) return -std::numeric_limits<double>::infinity();
    constexpr double log_2_256 = 177.445678223345999210811423093293;
    return std::log(mantissa_) + static_cast<double>(exponent_) * log_2_256;
  }

 private:
  static constexpr double step = 0x1.0p+256;

  void normalise() noexcept {
    if (mantissa_ == 0) return;
    while (mantissa_ < 1 / step) {
      mantissa_ *= step;
      --exponent_;
    }
  }
  // This number's mantissa when written with a larger exponent.
  [[nodiscard]] double mantissa_at(std::int64_t exponent) const noexcept {
    switch (exponent - exponent_) {
      case 0:
        return mantissa_;
      case 1:
        return mantissa_ / step;
      default:
        return 0;  // below the last bit of the other
    }
  }

  double mantissa_ = 0;
  std::int64_t exponent_ = 0;
};

}  // namespace orrery::model
