// Two things of sign trees in terms of their edges' moments: how far apart two trees are, and the
// moments of any order of one tree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

// How far apart two sign trees of the same variables are, of their hidden signs (the crossover does
// not enter). Trees of different numbers of variables are a programmer's mistake.

/// Pearson's correlations of any two variables: the product along their path; 0 across components.
/// O(log p) a pair, O(p) memory. The tree must outlive it.
class PathCorrelations {
 public:
  explicit PathCorrelations(const SignTree& tree);
  [[nodiscard]] double correlation(std::uint32_t a, std::uint32_t b) const noexcept;
  /// E[X_a X_b].
  [[nodiscard]] double moment(std::uint32_t a, std::uint32_t b) const noexcept;

 private:
  /// One step up, or a long one: an ancestor and the product of the correlations to it.
  struct Step {
    std::uint32_t to = SignTree::none;
    double product = 1;
  };
  const SignTree& tree_;
  std::vector<std::uint32_t> depth_;
  std::vector<Step> parent_;
  std::vector<Step> jump_;
};

/// KL(p || q) in nats; +infinity if p allows what q does not. O(p log p).
double kl_divergence(const SignTree& p, const SignTree& q);

/// The greatest total variation between the two trees' distributions of a pair: L^(2) of Eq. (14).
struct PairDistance {
  double distance = 0;
  std::array<std::uint32_t, 2> pair{};  ///< that attains it, the first in order; {0, 0} if p < 2
};
/// O(p^2) time and O(p) memory per thread, by the OpenMP threads of the caller.
PairDistance small_set_distance(const SignTree& p, const SignTree& q);

// Moments of any order on a sign tree, and what errors of the tree may do to them.

/// A set V of variables in pairs whose paths share no edge.
struct MatchedPairs {
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< C_T(V), a pair's lower variable first
  std::vector<std::uint32_t> edges;     ///< CP_T(V): places in SignTree::edges(), ascending
  std::vector<std::uint32_t> unpaired;  ///< one of each component that has an odd number of V
};
/// Algorithm 2, in O(p): the edges that leave an odd number of V's variables on either side (of
/// their component) are those of the pairs' paths. Variables of `set` must differ.
MatchedPairs match_pairs(const SignTree& tree, std::span<const std::uint32_t> set);

/// E[prod_{i in set} X_i]; 1 for the empty set. O(p). With uniform margins it is Theorem 2: the
/// product of the moments of CP_T(V); 0 if a component has an odd number of V.
double product_moment(const SignTree& tree, std::span<const std::uint32_t> set);
/// Of the observed signs: E[prod Y_i] = (1 - 2q)^|V| E[prod X_i], Eq. (11) for any set.
double noisy_product_moment(const SignTree& tree, std::span<const std::uint32_t> set);

/// Eq. (32): two trees with uniform margins whose pairs are within `small_set_distance` in total
/// variation differ in E[prod_{i in V} X_i] by at most |V| times that (and never by more than 2).
double moment_error_bound(std::size_t set_size, double small_set_distance);
/// If the tree's edges are right and each of its moments is off by at most edge_errors[e]: what
/// the moment of `set` may be off. Uniform margins.
double moment_error_bound(const SignTree& tree, std::span<const std::uint32_t> set,
                          std::span<const double> edge_errors);

}  // namespace orrery::model
