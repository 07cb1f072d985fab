// Purpose: independent bits of given probabilities, drawn with few random numbers.
// Method: every bit has a likely value; a bit departs from it with q_j = min(p_j, 1 - p_j). With
//         S_j = prod_{i <= j} (1 - q_i), P(no departure up to j) = S_j: one uniform u finds the
//         first departure, the least j with u >= S_j (inversion); the next one after j is found
//         with u S_j in place of u. A segment ends where S falls below 2^-10, so that S never
//         nears the resolution of u (2^-53).
// Cost: one uniform a departure and one a segment; a binary search a departure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace orrery::model {

class BernoulliBits {
 public:
  /// 64 bits of the target that hold at least one of ours.
  struct WordBits {
    std::size_t word;  ///< of the target
    std::uint64_t bits;
  };

  /// (position in the target, probability of a one), by rising position.
  explicit BernoulliBits(std::span<const std::pair<std::uint32_t, double>> bits);

  [[nodiscard]] std::size_t n_words() const noexcept { return likely_.size(); }

  /// ORs one draw into `target`. `scratch` has room for n_words() words.
  void draw_into(RowRandom& random, std::span<std::uint64_t> target,
                 std::span<std::uint64_t> scratch) const noexcept;

 private:
  struct Place {
    std::size_t slot;  // in likely_
    std::uint64_t bit;
  };
  std::vector<WordBits> likely_;          // the words without any departure
  std::vector<Place> places_;             // of bit j
  std::vector<double> stay_;              // S_j, from the start of j's segment on
  std::vector<std::size_t> segment_end_;  // one past the last j of each segment
};

}  // namespace orrery::model
