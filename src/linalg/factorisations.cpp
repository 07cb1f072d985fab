// Factors of square matrices: of Cholesky, L D L^T, and L U.
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Cholesky::Factors {
  Eigen::LLT<MatrixXd> llt;
};

Cholesky::Cholesky(const MatrixXd& matrix) : factors_(new Factors{Eigen::LLT<MatrixXd>(matrix)}) {}

bool Cholesky::is_positive_definite() const { return factors_->llt.info() == Eigen::Success; }

MatrixXd Cholesky::root() const { return factors_->llt.matrixL(); }

VectorXd Cholesky::diagonal() const { return factors_->llt.matrixLLT().diagonal(); }

double Cholesky::log_determinant() const {
  return 2 * factors_->llt.matrixLLT().diagonal().array().log().sum();
}

VectorXd Cholesky::solve(const VectorXd& right) const { return factors_->llt.solve(right); }

MatrixXd Cholesky::solve(const MatrixXd& right) const { return factors_->llt.solve(right); }

VectorXd Cholesky::norms(const MatrixXd& b) const {
  return factors_->llt.matrixL().solve(b).colwise().squaredNorm().transpose();
}

MatrixXd Cholesky::around_inverse(const MatrixXd& b) const {
  return b * factors_->llt.solve(b.transpose());
}

struct Ldlt::Factors {
  Eigen::LDLT<MatrixXd> ldlt;
};

Ldlt::Ldlt(const MatrixXd& matrix) : factors_(new Factors{Eigen::LDLT<MatrixXd>(matrix)}) {}

bool Ldlt::succeeded() const { return factors_->ldlt.info() == Eigen::Success; }

VectorXd Ldlt::pivots() const { return factors_->ldlt.vectorD(); }

double Ldlt::reciprocal_condition() const { return factors_->ldlt.rcond(); }

VectorXd Ldlt::solve(const VectorXd& right) const { return factors_->ldlt.solve(right); }

MatrixXd Ldlt::inverse() const {
  const Eigen::Index n = factors_->ldlt.rows();
  return factors_->ldlt.solve(MatrixXd::Identity(n, n));
}

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
