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
#include "families/linear/linear_latent/observations.hpp"

namespace orrery::linear_latent {

// Third moments in the space of the causes: of v = A^+ z, an unbiased guess of h with noise.
//
// n^3 numbers are never formed: only Psi(., ., theta) for the k directions theta that are rows of
// A^+, seen from that space, which are k^3 / 2 numbers, and from the diagonal, n k. Noise adds
// mu_i to entry (i, i, i) of Psi alone, which is v's sum_i mu_i p_i x p_i x p_i (p_i: column i of
// A^+). With H = A A^+ and T v's third moments,
//   E[z_i^2 v_c] - T(a_i, a_i, e_c) = sum_l (delta_il - H_il^2) p_lc mu_l
// for all i and c: n k equations for n numbers mu, solved by least squares. This is METHODS' "noise
// terms of Psi must be removed as for Sigma": what the diagonal has beyond what the rest implies.
//
// Cost: N (2 n k + k^3 / 2) multiply-adds, and n^3 / 3 for mu. Memory: k^3 / 2 + 3 n k doubles a
// group.

/// Third central moments of h: slice c is E[h h^T h_c], k x k.
using Tensor = std::vector<Eigen::MatrixXd>;

struct ThirdMomentSet {
  Tensor full;
  std::vector<Tensor> without;   ///< in the order of the groups; empty: exact moments
  std::uint64_t n_left_out = 0;  ///< rows with missing values
};

/// `loadings` of z. Rows are read again, or the network's exact moments taken. Collective.
[[nodiscard]] ThirdMomentSet third_moments(const learning::DataContext& context,
                                           const Observations& observed, const Loadings& loadings,
                                           const Workers& workers);

/// The noise's part taken from T: mu as above. `squares`: E[z_i^2 v_c], n x k.
[[nodiscard]] Tensor without_noise(const Tensor& raw, const Eigen::MatrixXd& squares,
                                   const Eigen::MatrixXd& loadings);
/// T(m . , m . , m .) for a k x k matrix m.
[[nodiscard]] Tensor transformed(const Tensor& tensor, const Eigen::MatrixXd& m);

// What they say of the causes.

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
