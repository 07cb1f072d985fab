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

/// Where the address space is limited, makes the buffers that the BLAS takes if so many threads call
/// it at once, 128 MiB each, or throws EnvironmentError where there is no room for them. OpenBLAS
/// would try for ever to get them if other memory of the threads took their place.
void reserve_blas_memory(int n_threads);

}  // namespace orrery::moments
