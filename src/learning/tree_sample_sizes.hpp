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
  /// What the channel leaves of a correlation: (1 - 2 crossover)^2.
  [[nodiscard]] double kappa() const noexcept { return (1 - 2 * crossover) * (1 - 2 * crossover); }
};

/// Numbers of samples, not rounded.
struct SampleSizes {
  /// So many are enough for Chow-Liu-CC, whatever the tree, with probability 1 - delta.
  double sufficient = 0;
  /// The same as the paper states it.
  double sufficient_published = 0;
  /// With fewer, no method at all does it for every tree.
  double necessary = 0;
};
/// To find the very tree (Theorem 3.1).
[[nodiscard]] SampleSizes samples_for_structure(const TreeClass& trees, double delta);

/// Numbers of samples that are enough, with probability 1 - delta, to come near the distribution.
struct NearSizes {
  double by_tree = 0;        ///< because the very tree is found: depends on alpha
  double without_alpha = 0;  ///< whether the tree is found or not: does not depend on alpha
  [[nodiscard]] double sufficient() const noexcept {
    return by_tree < without_alpha ? by_tree : without_alpha;
  }
};
/// To have all distributions of two variables within a total variation of eta (Theorem 3.2).
[[nodiscard]] NearSizes samples_for_prediction(const TreeClass& trees, double delta, double eta);
/// With fewer, no method at all does it for every tree; none: its assumption is not met.
[[nodiscard]] std::optional<double> fewest_for_prediction(const TreeClass& trees, double delta,
                                                          double eta);
/// What the necessary number for prediction assumes: tanh alpha + 4 eta <= tanh beta.
[[nodiscard]] bool allows_prediction_bound(const TreeClass& trees, double eta);
/// To have the symmetric KL divergence within `most` nats (Theorem 3.3).
[[nodiscard]] NearSizes samples_for_symmetric_kl(const TreeClass& trees, double delta, double most);

/// The least correlation of an edge with which `n` samples suffice for the very tree; more than 1:
/// no edge is strong enough.
struct WeakestEdge {
  double derived = 0;    ///< by samples_for_structure(..).sufficient
  double published = 0;  ///< by Eq. (41); at a crossover of 0 it is Eq. (40)
};
/// `beta` as tanh beta, the correlation of the strongest edge; alpha is not used.
[[nodiscard]] WeakestEdge weakest_edge(std::size_t p, double strongest, double crossover,
                                       double delta, double n);

}  // namespace orrery::learning
