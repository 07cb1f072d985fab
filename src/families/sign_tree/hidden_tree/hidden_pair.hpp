// Two hidden signs from the 2 x 2 table of what was observed of them, with any marginals; and how
// much they tell of each other.
#pragma once

#include "families/sign_tree/hidden_tree/cells.hpp"

namespace orrery::hidden_tree {

/// Moments of observed signs. One pseudo-row is added, a quarter of it in each cell, as
/// learning/chow_liu.hpp does: no cell has probability 0, and at q = 0 this is its tree.
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
