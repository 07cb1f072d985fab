// Products by Eigen, for a build without a BLAS.
#include "moments/matrix_products.hpp"

namespace orrery::moments {

namespace {

using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;

}  // namespace

void add_outer_products(int n, int k, const double* a, Eigen::MatrixXd& c) {
  c.selfadjointView<Eigen::Upper>().rankUpdate(ConstMatrix(a, n, k));
}

void add_products(int n, int k, const double* a, const double* b, Eigen::MatrixXd& c) {
  c.noalias() += ConstMatrix(a, n, k) * ConstMatrix(b, n, k).transpose();
}

// Eigen starts no threads of its own (EIGEN_DONT_PARALLELIZE), and its buffers are small.
void use_one_blas_thread() {}
void reserve_blas_memory(int /*n_threads*/) {}

}  // namespace orrery::moments
