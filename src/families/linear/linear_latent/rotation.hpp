// The rotation of least complexity, for covariances that few causes explain roughly.
//
// Columns of A are the sparsest vectors of Col(L) where the covariances are those of few causes and
// noise (Theorem 3.1). Where many small dependences come on top of them, as in questionnaires, no
// entry is 0, and the vectors with most entries near 0 are sparse by accident: differences of
// causes that are much alike. Then the columns are those whose loadings, with causes of variance 1,
// are least complex (quartimin: Carroll 1953), by gradient projection over oblique rotations
// (Jennrich 2002):
//   L = B T^-T,   f = 1/4 sum_i sum_{j != l} L_ij^2 L_il^2,   columns of T of length 1.
// From there they are fitted and tested as sparse ones are (loadings.hpp).
//
// Cost: n k^2 a step, some hundred steps a start; twenty starts, fewer where n k^2 is large.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace orrery::linear_latent {

/// k x k: column j of A is B w_j up to its scale. `basis`: B, n x k, of variables of variance 1,
/// such that B B^T is L. A function of the basis and the seed.
[[nodiscard]] Eigen::MatrixXd simplest_columns(const Eigen::MatrixXd& basis, std::uint64_t seed);

}  // namespace orrery::linear_latent
