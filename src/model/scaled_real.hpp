// A nonnegative real with an exponent of its own: products of thousands of small probabilities
// neither underflow nor need a logarithm per factor.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery::model {

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
