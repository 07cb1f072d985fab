#include <Eigen/QR>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

using Eigen::MatrixXd;

MatrixXd orthonormal_basis_of(const MatrixXd& columns) {
  const Eigen::HouseholderQR<MatrixXd> factors(columns);
  return factors.householderQ() * MatrixXd::Identity(columns.rows(), columns.cols());
}

MatrixXd least_squares_of_independent(const MatrixXd& matrix, const MatrixXd& right) {
  return matrix.householderQr().solve(right);
}

PivotedColumns pivoted_columns_of(const MatrixXd& matrix, double tolerance) {
  Eigen::ColPivHouseholderQR<MatrixXd> factors(matrix);
  factors.setThreshold(tolerance);
  const auto& indices = factors.colsPermutation().indices();
  return {{indices.begin(), indices.end()}, factors.rank()};
}

}  // namespace orrery::linalg
