// The steps of Eigen's decomposition into singular values by divide and conquer, each compiled in a
// source of its own: all in one would take the compiler more than a gigabyte.
#pragma once

#include <Eigen/SVD>

namespace orrery::linalg {

using BidiagonalForm = Eigen::internal::UpperBidiagonalization<Eigen::MatrixXd>;
using LeftReflections = BidiagonalForm::HouseholderUSequenceType;
using RightReflections = BidiagonalForm::HouseholderVSequenceType;

}  // namespace orrery::linalg

// In singular_values_bidiagonal.cpp: to bidiagonal form, by reflections.
extern template orrery::linalg::BidiagonalForm&
Eigen::internal::UpperBidiagonalization<Eigen::MatrixXd>::compute(const Eigen::MatrixXd&);

// In singular_values_small.cpp: blocks too small to divide, by Jacobi's rotations.
extern template Eigen::JacobiSVD<Eigen::MatrixXd>& Eigen::JacobiSVD<Eigen::MatrixXd>::compute(
    const Eigen::MatrixXd&, unsigned int);

// In singular_values_vectors.cpp: from the vectors of the bidiagonal form to those of the matrix,
// or of the transposed matrix.
extern template void Eigen::BDCSVD<Eigen::MatrixXd>::copyUV(const orrery::linalg::LeftReflections&,
                                                            const orrery::linalg::RightReflections&,
                                                            const Eigen::MatrixXd&,
                                                            const Eigen::MatrixXd&);
extern template void Eigen::BDCSVD<Eigen::MatrixXd>::copyUV(const orrery::linalg::RightReflections&,
                                                            const orrery::linalg::LeftReflections&,
                                                            const Eigen::MatrixXd&,
                                                            const Eigen::MatrixXd&);
