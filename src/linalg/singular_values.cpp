// Singular values and vectors, by Eigen's divide and conquer.
#include <Eigen/SVD>

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

// By Jacobi's method, which is quick for small ones.
SmallSingularDecomposition singular_decomposition_of(const Eigen::Matrix4d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix4d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace orrery::linalg
