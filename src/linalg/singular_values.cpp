#include <Eigen/SVD>

#include "orrery/linalg/decompositions.hpp"

// In singular_values_steps.cpp: half of what it takes to compile.
extern template class Eigen::internal::UpperBidiagonalization<Eigen::MatrixXd>;
extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;

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
