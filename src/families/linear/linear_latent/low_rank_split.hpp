// SUBROUTINE of Anandkumar et al. 2013 (Sec. 3.1): a covariance into a low-rank part and a
// diagonal, from a partition of the variables into three blocks.
//
//   paper       code          shape
//   C           covariance    n x n, L + D with L of rank k
//   P           Partition     I, J, K: disjoint, of all n
//   A_I B_I^T   L_II = C_IJ V_J (U_K^T C_KJ V_J)^-1 U_K^T C_KI, for each block I in turn
//   D_II        diag(C_II - L_II)
//
// A partition will do if all off-diagonal blocks have rank k (Condition 2); the one whose least
// k-th singular value is largest loses least to sampling errors. Random thirds are tried first
// (Sec. 3.4); where loadings are so sparse that chance hardly ever deals each block a variable of
// each cause, blocks are picked by pivoted QR of provisional loadings.
//
// Departure: the paper returns L = C - D, whose rank is k for exact moments only; here L is the
// best matrix of rank k under C - D in the metric of D (uniqueness.hpp), positive semidefinite.
//
// Cost: three singular value decompositions of n/3 x n/3 a partition, O(n^3 / 9).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "families/linear/linear_latent/moment_set.hpp"

namespace orrery::linear_latent {

struct Partition {
  std::array<std::vector<Eigen::Index>, 3> blocks;
  /// Least k-th singular value of an off-diagonal block of the correlations: the larger, the better
  /// conditioned is what is inverted.
  double least = 0;
  /// The same in sizes of what sampling makes of a block of less rank; infinite with exact moments.
  double distance = 0;
  std::size_t n_tried = 0;  ///< partitions, of which this is the best
};

/// All off-diagonal blocks have rank k, but for rounding errors.
[[nodiscard]] bool has_rank(const Partition& partition);
/// And by more than sampling errors could make of a block of less rank.
[[nodiscard]] bool has_clear_rank(const Partition& partition);

/// The best of `n_random` random partitions and the picked one. Where none of these has clear rank,
/// more are tried, up to 10,000 (fewer of more than 58 variables: 2e9 / n^3). A function of the
/// moments and the seed.
[[nodiscard]] Partition find_partition(const MomentSet& moments, Eigen::Index k, int n_random,
                                       std::uint64_t seed);

/// D of the SUBROUTINE.
[[nodiscard]] Eigen::VectorXd noise_by_blocks(const Eigen::MatrixXd& covariance, Eigen::Index k,
                                              const Partition& partition);

}  // namespace orrery::linear_latent
