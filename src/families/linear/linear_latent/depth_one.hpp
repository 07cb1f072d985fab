// Effective depth one (Anandkumar et al. 2013, Sec. 3.3; ALGORITHM 2, whose text is lost): how the
// causes drive one another, h = Lambda h + eta, from the skewness of eta.
//
//   paper               code         what
//   M = A (I-Lambda)^-1              ECA's result; here seen from the space of the causes:
//   A^+ M               mixing       (I - Lambda)^-1 diag(sd of eta), columns in any order and sign
//   gamma_eta           skewness     of each eta
//
// 1. Excess correlation analysis: with W = E[hh^T]^-1/2 the third moments T(W., W., W theta) have
// the
//    eigenvectors V, W mixing, for a random theta. Of several theta the one whose eigenvalues are
//    furthest apart is kept; V is then turned until all k slices of T are as diagonal as they get
//    (Cardoso, Souloumiac 1996), which uses all of T and not one theta.
// 2. mixing^-1 has the rows of I - Lambda, each scaled, in any order: the order without a 0 on the
//    diagonal is an assignment (Shimizu et al. 2006).
// 3. The causal order: again and again the cause that depends least on those that are left, in
//    standard errors.
// 4. With the order known, second moments say the rest: row j of Lambda is the regression of h_j on
//    the causes before it, of E[hh^T]. What is not significant is left out, and the rest is fitted
//    again. Third moments decide on the order alone, which takes far fewer samples.
//
// Cost: k^4 a sweep of turns, some ten sweeps, for every group of rows: G k^4.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "families/linear/linear_latent/loadings.hpp"
#include "families/linear/linear_latent/third_moments.hpp"

namespace orrery::linear_latent {

struct Coupling {
  Eigen::MatrixXd lambda;      ///< k x k, significant entries
  Eigen::MatrixXd errors;      ///< of what was fitted; empty: exact
  Eigen::VectorXd innovation;  ///< variances of eta
  std::vector<Eigen::Index> order;
  Eigen::VectorXd skewness;         ///< of eta, in the order of the causes
  Eigen::VectorXd skewness_errors;  ///< empty: exact
  double misfit = 0;  ///< squared entries of I - mixing^-1 against the order, in standard errors
};

/// `seed` draws theta.
[[nodiscard]] Coupling find_coupling(const Loadings& loadings, const ThirdMomentSet& third,
                                     double alpha, std::uint64_t seed);

/// Orthogonal V for which all V^T slice V are as diagonal as they get; from `start`.
[[nodiscard]] Eigen::MatrixXd jointly_diagonal(const Tensor& slices, const Eigen::MatrixXd& start);

/// More than one cause whose skewness is not significant: Theorem 3.7 does not apply. (One alone is
/// told from the others by their skewness.)
[[nodiscard]] std::vector<Eigen::Index> without_skewness(const Coupling& coupling);

}  // namespace orrery::linear_latent
