// A covariance as low rank plus diagonal: by the paper's SUBROUTINE, and by maximum likelihood.
//
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
// best matrix of rank k under C - D in the metric of D (see below), positive semidefinite.
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
/// variables change places between the blocks of the best and of three others, as long as that
/// makes it better: up to 10,000 tries (fewer of more than 58 variables: 2e9 / n^3). A function of
/// the moments and the seed.
[[nodiscard]] Partition find_partition(const MomentSet& moments, Eigen::Index k, int n_random,
                                       std::uint64_t seed);

/// D of the SUBROUTINE.
[[nodiscard]] Eigen::VectorXd noise_by_blocks(const Eigen::MatrixXd& covariance, Eigen::Index k,
                                              const Partition& partition);

// ---- maximum likelihood
//
// Low rank plus diagonal by maximum likelihood (Joreskog 1967): the noise variances under which the
// rank-k part explains all covariances best. The paper's SUBROUTINE solves the same
// equations exactly where the covariance is exact, from k rows and columns at a time; on
// samples this uses all of them, and its noise variances are several times closer.
//
// With S* = D^-1/2 S D^-1/2 and its k largest eigenvalues t_j and eigenvectors U,
// L = D^1/2 U (T - I) U^T D^1/2 is the best low-rank part for a given D, and the likelihood is
// stationary where diag(S) = diag(L + D). With Q = I - U U^T a change e of D (relative to D)
// changes diag(S* - I - L*) by -(Q o Q) e to first order, so a step solves (Q o Q) e = diag(S* - I
// - L*). Steps converge quadratically where the low-rank part fits.
//
// Cost: a step takes an eigendecomposition and a solution of n equations, O(n^3), some ten steps.

struct FactorSplit {
  Eigen::MatrixXd basis;  ///< n x k: L = basis basis^T, columns orthogonal in the metric of D^-1
  Eigen::VectorXd noise;  ///< n: diagonal of D
  int steps = 0;
  bool converged = false;
  int n_at_bound =
      0;  ///< noise variances that would be smaller than half a percent (Heywood cases)
};

/// From `noise`, which is brought into range first. At most `most_steps` steps.
[[nodiscard]] FactorSplit fit_noise(const Eigen::MatrixXd& covariance, Eigen::Index k,
                                    Eigen::VectorXd noise, int most_steps = 200);
/// The basis that goes with these noise variances, as they are.
[[nodiscard]] FactorSplit split_at(const Eigen::MatrixXd& covariance, Eigen::Index k,
                                   const Eigen::VectorXd& noise);
/// A start without a partition: 1 - k/2n of what a variable has beyond all others (Joreskog 1967).
[[nodiscard]] Eigen::VectorXd first_noise(const Eigen::MatrixXd& covariance, Eigen::Index k);

/// What is left in the metric of D: offdiag(Q X Q - Q diag(e) Q) with (Q o Q) e = diag(Q X Q): the
/// part of a change X of S* that no change of L and D follows.
class ResidualMap {
 public:
  explicit ResidualMap(const FactorSplit& split);
  /// The entries a < b, column by column. `covariance`: in the metric of S.
  [[nodiscard]] Eigen::VectorXd operator()(const Eigen::MatrixXd& covariance) const;

 private:
  Eigen::VectorXd root_;  // D^-1/2
  Eigen::MatrixXd q_;
  Eigen::MatrixXd inverse_;  // of Q o Q
};

}  // namespace orrery::linear_latent
