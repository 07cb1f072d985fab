// The few routines of the linked BLAS that are used, by their Fortran names; matrices are
// column-major.
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
