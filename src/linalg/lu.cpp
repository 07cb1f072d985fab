#include <Eigen/LU>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Lu::Factors {
  Eigen::PartialPivLU<MatrixXd> lu;
};

Lu::Lu(const MatrixXd& matrix) : factors_(new Factors{Eigen::PartialPivLU<MatrixXd>(matrix)}) {}

VectorXd Lu::solve(const VectorXd& right) const { return factors_->lu.solve(right); }

VectorXd solve_by_full_pivoting(const MatrixXd& matrix, const VectorXd& right) {
  return matrix.fullPivLu().solve(right);
}

MatrixXd solve_by_full_pivoting(const MatrixXd& matrix, const MatrixXd& right) {
  return matrix.fullPivLu().solve(right);
}

MatrixXd kernel_of(const MatrixXd& matrix, double tolerance) {
  Eigen::FullPivLU<MatrixXd> factors(matrix);
  factors.setThreshold(tolerance);
  return factors.kernel();
}

}  // namespace orrery::linalg
