// The linked BLAS: the few of its routines that are used, by their Fortran names (matrices are
// column-major), and its threads.
#pragma once

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

/// Work is shared out above the BLAS, a piece per thread: its own threads would fight over the
/// processors, and cut sums by their number. Cheap; call it before each use.
void use_one_blas_thread();
/// Throws EnvironmentError where the address space is limited and has no room for the buffers that
/// the BLAS takes, 128 MiB each, if so many threads call it at once. OpenBLAS would try for ever.
void require_blas_memory(int n_threads);

}  // namespace orrery::moments
