// Two signs in the rows in which both are observed, as counts; and how strongly they go together.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace orrery::hidden_tree {

/// Fewer than 2^32 rows.
struct Cells {
  std::uint32_t n = 0;        ///< rows in which both are observed
  std::uint32_t a_on = 0;     ///< of them: the first is +1
  std::uint32_t b_on = 0;     ///< the second
  std::uint32_t both_on = 0;  ///< both
  bool operator==(const Cells&) const = default;
};

/// Sum of y_a y_b over the rows: n times the correlation of Algorithm 1, exactly.
inline std::int64_t sum_of_products(const Cells& cells) noexcept {
  const std::int64_t agree =
      std::int64_t{cells.n} - cells.a_on - cells.b_on + std::int64_t{2} * cells.both_on;
  return 2 * agree - cells.n;
}

/// A pair of variables, a < b.
struct Edge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Cells cells;
  bool operator==(const Edge&) const = default;
};

/// |correlation| as a fraction: compared without rounding. A pair that is never observed together
/// has 0.
struct ExactWeight {
  std::uint32_t sum = 0;
  std::uint32_t n = 1;
  friend bool operator<(const ExactWeight& left, const ExactWeight& right) noexcept {
    return std::uint64_t{left.sum} * right.n < std::uint64_t{right.sum} * left.n;
  }
};

/// Algorithm 1's weights.
///
/// The paper clips correlations to (1-2q)^2 before it compares them, which leaves ties among all
/// that exceed it. Here the larger one before the clipping wins such a tie: any rule for ties is
/// Algorithm 1, and the proof of Theorem 3.1 compares what is not clipped. So the tree does not
/// depend on q; q = 0.45 would clip to 0.01, where every edge of interest would tie.
struct UniformWeights {
  using Weight = ExactWeight;
  Weight operator()(const Cells& cells) const noexcept {
    if (cells.n == 0) return {};
    return {static_cast<std::uint32_t>(std::abs(sum_of_products(cells))), cells.n};
  }
};

}  // namespace orrery::hidden_tree
