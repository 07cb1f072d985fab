// Products by the linked BLAS: the two of its routines that are used, by their Fortran names, and
// its threads.
#include <cstddef>
#include <vector>

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
/// Takes a buffer that is free, or else a new one of 128 MiB, which OpenBLAS keeps from then on.
__attribute__((weak)) void* blas_memory_alloc(int position);
__attribute__((weak)) void blas_memory_free(void* buffer);
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

void reserve_blas_memory(int n_threads) {
  constexpr std::size_t size = std::size_t{128} << 20U;
  constexpr std::size_t beside_it = std::size_t{16} << 20U;  // what is taken until then
  if (!has_address_space_limit() || openblas_set_num_threads == nullptr) return;
  require_address_space(static_cast<std::size_t>(n_threads) * size + beside_it,
                        "buffers of the BLAS");
  if (blas_memory_alloc == nullptr || blas_memory_free == nullptr) return;
  std::vector<void*> buffers(static_cast<std::size_t>(n_threads));
  for (void*& buffer : buffers) buffer = blas_memory_alloc(0);
  for (void* buffer : buffers) blas_memory_free(buffer);
}

}  // namespace orrery::moments
