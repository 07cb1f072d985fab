// Low rank plus diagonal by maximum likelihood (Joreskog 1967): the noise variances under which the
// rank-k part explains all covariances best. The paper's SUBROUTINE (low_rank_split.hpp) solves the
// same equations exactly where the covariance is exact, from k rows and columns at a time; on
// samples this uses all of them, and its noise variances are several times closer.
//
// With S* = D^-1/2 S D^-1/2 and its k largest eigenvalues t_j and eigenvectors U,
// L = D^1/2 U (T - I) U^T D^1/2 is the best low-rank part for a given D, and the likelihood is
// stationary where diag(S) = diag(L + D). With Q = I - U U^T a change e of D (relative to D)
// changes diag(S* - I - L*) by -(Q o Q) e to first order, so a step solves (Q o Q) e = diag(S* - I
// - L*). Steps converge quadratically where the low-rank part fits.
//
// Cost: a step takes an eigendecomposition and a solution of n equations, O(n^3), some ten steps.
#pragma once

#include <Eigen/Core>

namespace orrery::linear_latent {

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
