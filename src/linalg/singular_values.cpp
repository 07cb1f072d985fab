// Singular values and vectors, by Eigen's divide and conquer.
#include "linalg/decompositions.hpp"
#include "linalg/singular_values_steps.hpp"

namespace orrery::linalg {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Decomposition = Eigen::BDCSVD<MatrixXd>;

VectorXd singular_values_of(const MatrixXd& matrix) {
  return Decomposition(matrix).singularValues();
}

MatrixXd left_singular_vectors(const MatrixXd& matrix, Index k) {
  return Decomposition(matrix, Eigen::ComputeThinU).matrixU().leftCols(k);
}

MatrixXd right_singular_vectors(const MatrixXd& matrix, Index k) {
  return Decomposition(matrix, Eigen::ComputeThinV).matrixV().leftCols(k);
}

}  // namespace orrery::linalg
