// Counter-based random streams (Philox4x32-10 of the Random123 library: Salmon et al. 2011,
// "Parallel random numbers: as easy as 1, 2, 3"). A draw is a function of (seed, stream, row,
// index) alone: who draws it, and in what order, does not matter.
#pragma once

// Philox needs none of the processor's instructions for AES, whose headers are long.
#define R123_USE_SSE 0
#define R123_USE_AES_NI 0
#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>

namespace orrery {

/// Independent purposes draw from different streams, so that adding a draw to one changes no other.
enum class Stream : std::uint32_t {
  rows = 1,
  structure = 2,
  parameters = 3,
  restart = 4,
  check = 5,
  resample = 6,
  contamination = 7,
  inference = 8,
  noise = 9,
  labels = 10,
  split = 11,
  imputation = 20,
  last_tag = 21
};

class RowRandom {
 public:
  RowRandom(std::uint64_t seed, Stream stream, std::uint64_t row) noexcept
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}},
        counter_{{0, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(row),
                  static_cast<std::uint32_t>(row >> 32U)}} {}

  /// Uniform on [0, 1) with 53 random bits.
  double uniform() noexcept { return static_cast<double>(next_bits() >> 11U) * 0x1.0p-53; }
  /// Uniform on {0, ..., bound - 1}; bound > 0. Lemire's multiply-shift; bias below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next_bits()) * bound) >> 64U);
  }
  /// True with the given probability (exactly never at 0, always at 1).
  bool bernoulli(double probability) noexcept { return uniform() < probability; }

 private:
  std::uint64_t next_bits() noexcept {
    if (position_ == 2) {
      block_ = philox_(counter_, key_);
      ++counter_[0];
      position_ = 0;
    }
    const std::uint64_t low = block_[2 * position_];
    const std::uint64_t high = block_[2 * position_ + 1];
    ++position_;
    return (high << 32U) | low;
  }

  r123::Philox4x32 philox_;
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  std::size_t position_ = 2;  // 64-bit halves of block_ already used
};

}  // namespace orrery
