// Products by the linked BLAS: the two of its routines that are used, by their Fortran names, and
// its threads.
#include "base/memory_limit.hpp"
#include "moments/matrix_products.hpp"

extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
/// OpenBLAS alone has it: null with another library.
__attribute__((weak)) void openblas_set_num_threads(int n_threads);
}

namespace orrery::moments {

void add_outer_products(int n, int k, const double* a, Eigen::MatrixXd& c) {
  const double one = 1;
  dsyrk_("U", "N", &n, &k, &one, a, &n, &one, c.data(), &n);
}

void add_products(int n, int k, const double* a, const double* b, Eigen::MatrixXd& c) {
  const double one = 1;
  dgemm_("N", "T", &n, &n, &k, &one, a, &n, b, &n, &one, c.data(), &n);
}

void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

void require_blas_memory(int n_threads) {
  constexpr std::size_t buffer = std::size_t{128} << 20U;
  constexpr std::size_t beside_it = std::size_t{16} << 20U;  // what is taken until then
  if (openblas_set_num_threads == nullptr) return;
  require_address_space(static_cast<std::size_t>(n_threads) * buffer + beside_it,
                        "buffers of the BLAS");
}

}  // namespace orrery::moments
