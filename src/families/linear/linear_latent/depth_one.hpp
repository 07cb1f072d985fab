// Effective depth one (Anandkumar et al. 2013, Sec. 3.3; ALGORITHM 2, whose text is lost): how the
// causes drive one another, h = Lambda h + eta, from the skewness of eta, or from its excess
// kurtosis
// ("third moment or excess kurtosis", Sec. 2.3).
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
// With kurtosis the slices are fourth cumulants K(W., W., theta_r, phi_r) for 2k random pairs of
// directions instead of T's k: they have the same eigenvectors.
//
// Cost: k^4 a sweep of turns, some ten sweeps, for every group of rows: G k^4.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "families/linear/linear_latent/cause_sums.hpp"
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

/// The same for any symmetric slices, in which the noise of variable l stands with weight
/// `shares`(slice, l).
[[nodiscard]] Tensor without_noise(const Tensor& raw, const Eigen::MatrixXd& squares,
                                   const Eigen::MatrixXd& loadings, const Eigen::MatrixXd& shares);

// Fourth cumulants in the space of the causes, contracted with random directions: slice r is
//   cum(h, h, theta_r . h, phi_r . h) = sum_j kappa_j (theta_r . m_j) (phi_r . m_j) m_j m_j^T,
// where m_j is what a unit of eta_j adds to the causes. The noise of variable l, whatever its own
// fourth cumulant, adds (theta_r . p_l) (phi_r . p_l) times it to p_l p_l^T, and is told from the
// rest as above, by cum(z_i, z_i, theta_r . v, phi_r . v).

struct FourthCumulantSet {
  Directions directions;
  Tensor full;                  ///< a slice a pair of directions, k x k
  std::vector<Tensor> without;  ///< in the order of the groups; empty: exact moments
  std::vector<Directions> directions_without;
  std::uint64_t n_left_out = 0;  ///< rows with missing values
};

/// Uniform on a cube; a function of the number of causes and the seed.
[[nodiscard]] Directions random_directions(Eigen::Index k, std::uint64_t seed);
/// (theta_r . x) (phi_r . x) for each column x.
[[nodiscard]] Eigen::VectorXd weights_along(const Directions& directions, Eigen::Index r,
                                            const Eigen::MatrixXd& vectors);
/// `squares`: cum(z_i, z_i, t_r, u_r), n x R.
[[nodiscard]] Tensor without_noise_along(const Tensor& raw, const Eigen::MatrixXd& squares,
                                         const Eigen::MatrixXd& loadings,
                                         const Directions& directions);
/// `loadings` of z. Rows are read again, or the network's exact cumulants taken. Collective.
[[nodiscard]] FourthCumulantSet fourth_cumulants(const learning::DataContext& context,
                                                 const Observations& observed,
                                                 const Loadings& loadings, std::uint64_t seed,
                                                 const Workers& workers);

// What they say of the causes.

struct Coupling {
  Eigen::MatrixXd lambda;      ///< k x k, significant entries
  Eigen::MatrixXd errors;      ///< of what was fitted; empty: exact
  Eigen::VectorXd innovation;  ///< variances of eta
  std::vector<Eigen::Index> order;
  Eigen::VectorXd cumulants;  ///< skewness or excess kurtosis of eta, in the order of the causes
  Eigen::VectorXd cumulant_errors;  ///< empty: exact
  double misfit = 0;  ///< squared entries of I - mixing^-1 against the order, in standard errors
};

/// `seed` draws theta.
[[nodiscard]] Coupling find_coupling(const Loadings& loadings, const ThirdMomentSet& third,
                                     double alpha, std::uint64_t seed);
[[nodiscard]] Coupling find_coupling(const Loadings& loadings, const FourthCumulantSet& fourth,
                                     double alpha, std::uint64_t seed);

/// Orthogonal V for which all V^T slice V are as diagonal as they get; from `start`.
[[nodiscard]] Eigen::MatrixXd jointly_diagonal(const Tensor& slices, const Eigen::MatrixXd& start);

/// Causes whose skewness (excess kurtosis) is not significant. Of more than one Theorem 3.7 does
/// not apply. (One alone is told from the others by theirs.)
[[nodiscard]] std::vector<Eigen::Index> without_cumulant(const Coupling& coupling);

}  // namespace orrery::linear_latent
