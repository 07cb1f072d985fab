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
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "families/linear/linear_latent/loadings.hpp"
#include "families/linear/linear_latent/observations.hpp"

namespace orrery::linear_latent {

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

}  // namespace orrery::linear_latent
