// The step of singular_values.cpp that takes the vectors of the bidiagonal form to those of the
// matrix, or of the transposed matrix.
#include "linalg/singular_values_steps.hpp"

using orrery::linalg::LeftReflections;
using orrery::linalg::RightReflections;

template void Eigen::BDCSVD<Eigen::MatrixXd>::copyUV(const LeftReflections&,
                                                     const RightReflections&,
                                                     const Eigen::MatrixXd&,
                                                     const Eigen::MatrixXd&);
template void Eigen::BDCSVD<Eigen::MatrixXd>::copyUV(const RightReflections&,
                                                     const LeftReflections&, const Eigen::MatrixXd&,
                                                     const Eigen::MatrixXd&);
