// Sums that several processes and threads share, with the same bytes however many they are: in
// numbered blocks of which each process has some, or without an order of the terms.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace orrery {

/// Numbered blocks of work that several processes share without knowing of one another: which of
/// them this process works on. Alone it has them all.
struct BlockShare {
  std::size_t number = 0;  ///< of this process
  std::size_t n_processes = 1;
  /// Given values of which each was found by one process and left 0 by the others: makes them those
  /// of all. Collective; empty: there are no others.
  std::function<void(std::vector<double>& values)> complete{};

  [[nodiscard]] bool has(std::size_t block) const noexcept { return block % n_processes == number; }
  void gather(std::vector<double>& values) const {
    if (complete) complete(values);
  }
};

/// Sums of real numbers that do not depend on the order of the terms: each term is cut into digits
/// of 32 bits, digits are added as integers. Threads and ranks may add what they have in any order
/// and split, and get the same bytes.
///
/// n sums, 48 bytes each. Terms below 2^63 in size, cut off below 2^-96; at most 2^31 terms per
/// sum. A sum with a term that is larger or not finite is NaN.
class ExactSums {
 public:
  explicit ExactSums(std::size_t n) : words_(n * stride, 0) {}

  [[nodiscard]] std::size_t size() const noexcept { return words_.size() / stride; }

  void add(std::size_t i, double term) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const int exponent = static_cast<int>((bits >> 52) & 0x7FF);
    std::uint64_t* digits = words_.data() + i * stride;
    if (exponent >= 1023 + 63) {  // infinity and NaN as well
      ++digits[n_digits];
      return;
    }
    // |term| = mantissa 2^(exponent - 1075) = mantissa 2^shift units of 2^-96.
    int shift = exponent - 1075 + 96;
    if (shift < -52) return;
    std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | (std::uint64_t{1} << 52);
    if (shift < 0) {
      mantissa >>= -shift;
      shift = 0;
    }
    const std::uint64_t sign = std::uint64_t{0} - (bits >> 63);
    const auto add_to = [sign](std::uint64_t& sum, std::uint64_t digit) {
      sum += (digit ^ sign) - sign;
    };
    // A mantissa meets three digits at most; the last of them is 0 if the second is the highest.
    std::uint64_t* lowest = digits + shift / 32;
    const int within = shift % 32;
    add_to(lowest[0], (mantissa << within) & 0xFFFFFFFF);
    const std::uint64_t above = (mantissa >> (32 - within));
    add_to(lowest[1], above & 0xFFFFFFFF);
    add_to(lowest[2], above >> 32);
  }

  /// The digits, for Team::sum_words; afterwards they are those of the sum.
  [[nodiscard]] std::vector<std::uint64_t>& words() noexcept { return words_; }

  void add(const ExactSums& other) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] += other.words_[i];
  }

  [[nodiscard]] double value(std::size_t i) const noexcept {
    const std::uint64_t* digits = words_.data() + i * stride;
    if (digits[n_digits] != 0) return std::numeric_limits<double>::quiet_NaN();
    return is_negative(digits) ? -magnitude(digits, -1) : magnitude(digits, 1);
  }

 private:
  static constexpr std::size_t n_digits = 5;  // 2^-96 to 2^64
  static constexpr std::size_t stride = n_digits + 1;

  static bool is_negative(const std::uint64_t* digits) noexcept {
    std::int64_t carry = 0;
    for (std::size_t k = 0; k < n_digits; ++k) {
      carry = (static_cast<std::int64_t>(digits[k]) + carry) >> 32;
    }
    return carry < 0;
  }
  /// Of a sum that is not negative once multiplied by `sign`.
  static double magnitude(const std::uint64_t* digits, std::int64_t sign) noexcept {
    double total = 0;
    std::int64_t carry = 0;  // carries go up, so that one number has one representation
    for (std::size_t k = 0; k < n_digits; ++k) {
      const std::int64_t sum = sign * static_cast<std::int64_t>(digits[k]) + carry;
      carry = sum >> 32;
      total += std::ldexp(static_cast<double>(sum & 0xFFFFFFFF), 32 * static_cast<int>(k) - 96);
    }
    return total;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace orrery
