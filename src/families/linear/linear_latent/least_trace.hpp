// Low rank plus diagonal without a partition: the noise that leaves the causes' part the least
// trace, min tr L subject to C = L + D, L positive semidefinite, D diagonal (minimum trace factor
// analysis: Ledermann 1940, Shapiro 1982; Saunderson, Chandrasekaran, Parrilo, Willsky 2012). The
// paper's footnote 3: this relaxes Condition 2 from a third of the variables to half, if L is
// incoherent enough.
//
// With d the diagonal of D it is max sum d subject to C - diag(d) positive semidefinite. A barrier
// mu log det(C - diag(d)) keeps d inside; its Newton steps solve (P o P) e = 1/mu - diag(P), with
// P = (C - diag(d))^-1, while mu falls.
//
// Cost: an inverse and a solution of n equations a step, O(n^3), some 100 steps.
#pragma once

#include <Eigen/Core>

namespace orrery::linear_latent {

/// Noise variances, n, not below 0 but for rounding: the trace is off by some 1e-8 of C's.
[[nodiscard]] Eigen::VectorXd noise_by_least_trace(const Eigen::MatrixXd& covariance);

}  // namespace orrery::linear_latent
