// How many samples a tree of signs takes, by theory (orrery plan tree).
#pragma once

#include <cstddef>
#include <optional>

namespace orrery::learning {

/// All trees of p variables with edges alpha <= |theta_e| <= beta (Assumption 1), seen through a
/// channel of this crossover.
struct TreeClass {
  std::size_t p = 2;
  double alpha = 0;
  double beta = 0;
  double crossover = 0;
};

/// Numbers of samples, not rounded.
struct SampleSizes {
  /// So many are enough for Chow-Liu-CC, whatever the tree, with probability 1 - delta.
  double sufficient = 0;
  /// The same as the paper states it; none: its formula is not known to us.
  std::optional<double> sufficient_published;
  /// With fewer, no method at all does it for every tree; none: the assumption is not met.
  std::optional<double> necessary;
};

/// To find the very tree (Theorem 3.1).
[[nodiscard]] SampleSizes samples_for_structure(const TreeClass& trees, double delta);
/// To have all distributions of two variables within a total variation of eta (Theorem 3.2).
[[nodiscard]] SampleSizes samples_for_prediction(const TreeClass& trees, double delta, double eta);
/// What the necessary number for prediction assumes: tanh alpha + 4 eta <= tanh beta.
[[nodiscard]] bool allows_prediction_bound(const TreeClass& trees, double eta);

}  // namespace orrery::learning
