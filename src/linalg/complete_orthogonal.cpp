#include <Eigen/QR>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd least_squares(const MatrixXd& matrix, const VectorXd& right) {
  return matrix.completeOrthogonalDecomposition().solve(right);
}

MatrixXd least_squares(const MatrixXd& matrix, const MatrixXd& right) {
  return matrix.completeOrthogonalDecomposition().solve(right);
}

MatrixXd pseudo_inverse_of(const MatrixXd& matrix) {
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace orrery::linalg
