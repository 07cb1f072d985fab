// A pair of signs: counts of the rows in which both are observed, and how strongly the two go
// together; two hidden signs from that 2 x 2 table, with any marginals, and how much they tell of
// each other.
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

/// Moments of observed signs. One pseudo-row is added, a quarter of it in each cell, as
/// learning/chow_liu.cpp does: no cell has probability 0, and at q = 0 this is its tree.
struct ObservedMoments {
  double a;  ///< E[Y_a]
  double b;
  double ab;  ///< E[Y_a Y_b]
};
[[nodiscard]] ObservedMoments observed_moments(const Cells& cells);

/// E[X] = E[Y] / (1-2q), brought into (-1, 1), where sampling errors may have led it out of.
/// `n`: rows. `moved` is raised by one if it was.
[[nodiscard]] double hidden_mean(double observed, double crossover, std::uint64_t n,
                                 std::size_t& moved);
/// E[X_a X_b] = E[Y_a Y_b] / (1-2q)^2, Eq. (12), brought to where two signs of these means exist.
[[nodiscard]] double hidden_moment(double observed, double crossover, double mean_a, double mean_b,
                                   std::size_t& moved);

/// Weights of the Chow-Liu tree of the hidden signs: their mutual information in nats.
struct FreeWeights {
  using Weight = double;
  double crossover = 0;
  double operator()(const Cells& cells) const;
};

}  // namespace orrery::hidden_tree
