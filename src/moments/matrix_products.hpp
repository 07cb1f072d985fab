// The products of matrices that sums over rows are made of, by the linked BLAS or, in a build
// without one, by Eigen on one thread. Matrices are column-major. Last digits differ between the
// two, as they do between BLAS libraries.
#pragma once

#include <Eigen/Core>

namespace orrery::moments {

/// c += a a^T, upper triangle alone; a is n x k, c is n x n.
void add_outer_products(int n, int k, const double* a, Eigen::MatrixXd& c);

/// c += a b^T; a and b are n x k, c is n x n.
void add_products(int n, int k, const double* a, const double* b, Eigen::MatrixXd& c);

/// Work is shared out above the BLAS, a piece per thread: its own threads would fight over the
/// processors, and cut sums by their number. Cheap; call it before each use.
void use_one_blas_thread();

/// Throws EnvironmentError where the address space is limited and has no room for the buffers that
/// the BLAS takes, 128 MiB each, if so many threads call it at once. OpenBLAS would try for ever.
void require_blas_memory(int n_threads);

}  // namespace orrery::moments
