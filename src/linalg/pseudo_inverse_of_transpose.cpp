#include <Eigen/QR>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

// Of a matrix held by rows, whose sums Eigen takes in another order.
Eigen::MatrixXd pseudo_inverse_of_transpose(const Eigen::MatrixXd& matrix) {
  return matrix.transpose().completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace orrery::linalg
