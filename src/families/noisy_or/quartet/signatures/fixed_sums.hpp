// Sums that several threads and ranks add up to the same bytes, in any order: of integers.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/bits.hpp"

namespace orrery::quartet {

// Probabilities of up to 2^31 rows are multiples of 2^-32; what is squared (most_shared^2 of 10^6
// rows), and logarithms, of 2^-20.
inline constexpr double fine = 0x1p32;
inline constexpr double coarse = 0x1p20;

// Rounded to the nearest, in two instructions instead of a call.
inline void add_fixed(std::uint64_t& sum, double value, double unit) {
  sum += static_cast<std::uint64_t>(
      static_cast<std::int64_t>(value * unit + std::copysign(.5, value)));
}
/// add_fixed of what is no larger than `size` adds 0.
inline bool adds_nothing(double size, double unit) { return size * unit + .5 < 1; }
inline double real(std::uint64_t word, double unit) {
  return static_cast<double>(static_cast<std::int64_t>(word)) / unit;
}

/// `n` fine sums from word `first` on.
inline std::vector<double> reals(const std::vector<std::uint64_t>& words, std::size_t first,
                                 std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(real(words[first + i], fine));
  return values;
}

/// How often each bit of rows of bits is set. 64 rows at a time are turned into words of their own
/// for each bit, whose ones are counted.
class BitCounts {
 public:
  explicit BitCounts(std::size_t n_bits)
      : counts_((n_bits + 63) / 64 * 64, 0), rows_(counts_.size(), 0) {}

  void add(std::span<const std::uint64_t> row) {
    for (std::size_t w = 0; w < row.size(); ++w) rows_[64 * w + n_rows_] = row[w];
    if (++n_rows_ == 64) count();
  }
  /// By bit, in whole words of them.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() {
    count();
    return counts_;
  }

 private:
  void count() {
    for (std::size_t first = 0; first < rows_.size(); first += 64) {
      data::BitSquare square{};
      for (std::size_t r = 0; r < n_rows_; ++r) square[r] = rows_[first + r];
      data::transpose(square);
      for (std::size_t i = 0; i < 64; ++i) {
        counts_[first + i] += static_cast<std::uint64_t>(std::popcount(square[i]));
      }
    }
    n_rows_ = 0;
  }

  std::vector<std::uint64_t> counts_, rows_;  // rows_: word after word, of 64 rows each
  std::size_t n_rows_ = 0;
};

}  // namespace orrery::quartet
