// How far apart two sign trees of the same variables are, of their hidden signs (the crossover does
// not enter). Trees of different numbers of variables are a programmer's mistake.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

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
/// KL(p || q) + KL(q || p): the paper's symmetric divergence. With uniform margins it is also
/// sum over edges of (theta_p - theta_q) (mu_p - mu_q), Eq. (33).
double symmetric_kl(const SignTree& p, const SignTree& q);

/// The greatest total variation between the two trees' distributions of a pair: L^(2) of Eq. (14).
struct PairDistance {
  double distance = 0;
  std::array<std::uint32_t, 2> pair{};  ///< that attains it, the first in order; {0, 0} if p < 2
};
/// O(p^2) time and O(p) memory per thread, by the OpenMP threads of the caller.
PairDistance small_set_distance(const SignTree& p, const SignTree& q);

}  // namespace orrery::model
