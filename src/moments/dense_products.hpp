// Second moments of dense rows: sums of products, and covariances from them.
//
// Cost: n^2 multiply-adds per row in one dsyrk of the linked BLAS (matrix_products.hpp) per piece
// of rows (with missing values two dsyrk and a dgemm more). Memory: a piece of standardised rows
// and an n x n matrix per thread. A sum is a function of its rows and of the pieces they come in
// alone; BLAS libraries that choose their kernel by the processor round differently on different
// processors: on a cluster of several kinds, set OPENBLAS_CORETYPE to the oldest.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace orrery::moments {

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
