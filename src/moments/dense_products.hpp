// Second moments of dense rows: sums of products, and covariances from them; and the linked BLAS
// that forms the sums.
//
// Cost: n^2 multiply-adds per row in one dsyrk of the linked BLAS per piece of rows (with missing
// values two dsyrk and a dgemm more). Memory: a piece of standardised rows and an n x n matrix per
// thread. A sum is a function of its rows and of the pieces they come in alone; BLAS libraries that
// choose their kernel by the processor round differently on different processors: on a cluster of
// several kinds, set OPENBLAS_CORETYPE to the oldest.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

// The linked BLAS: the few of its routines that are used, by their Fortran names (matrices are
// column-major), and its threads.

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

/// z = (x - shift) / scale of each column: numbers near 1 lose fewest digits.
struct Standard {
  Eigen::VectorXd shift;
  Eigen::VectorXd scale;
};

/// Sums over some rows, flat, so that they add up as they are: of the products z_a z_b (a <= b);
/// then the number of rows and the sums of z, or, where values may be missing, the rows in which a
/// and b are present (a <= b), and for each a and b the sum of z_a over the rows that have b.
[[nodiscard]] std::size_t product_sums_size(std::size_t n, bool may_miss);

class ProductSums {
 public:
  /// `standard` must outlive the object.
  ProductSums(const Standard& standard, bool may_miss);
  /// n_rows x n numbers, row after row; NaN is missing.
  void add(const double* rows, std::size_t n_rows);
  /// Adds what was summed to `sums`, and starts anew.
  void move_to(std::span<double> sums);

 private:
  const Standard& standard_;
  bool may_miss_;
  std::vector<double> piece_;    // standardised rows, 0 where missing
  std::vector<double> present_;  // 1 where not
  Eigen::MatrixXd products_;     // upper triangle: column b, rows a <= b
  Eigen::MatrixXd counts_;       // the same
  Eigen::MatrixXd with_;         // a, b: of z_a where b is present
  Eigen::VectorXd totals_;
  double n_rows_ = 0;
};

/// Covariance of z (divided by the rows, less one): each pair from the rows that have both.
struct Covariance {
  Eigen::MatrixXd matrix;
  double least_rows = 0;  ///< the fewest rows that a pair has
};
[[nodiscard]] Covariance covariance_from(std::span<const double> sums, std::size_t n,
                                         bool may_miss);

}  // namespace orrery::moments
