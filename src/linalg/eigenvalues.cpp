#include <Eigen/Eigenvalues>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;

Spectrum spectrum_of(const MatrixXd& symmetric) {
  const Solver solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd eigenvalues_of(const MatrixXd& symmetric) {
  return Solver(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

MatrixXd inverse_root_of(const MatrixXd& symmetric) {
  return Solver(symmetric).operatorInverseSqrt();
}

}  // namespace orrery::linalg
