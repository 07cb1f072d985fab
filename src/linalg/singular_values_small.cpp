// The step of singular_values.cpp that decomposes blocks too small to divide, by Jacobi's
// rotations.
#include "linalg/singular_values_steps.hpp"

template Eigen::JacobiSVD<Eigen::MatrixXd>& Eigen::JacobiSVD<Eigen::MatrixXd>::compute(
    const Eigen::MatrixXd&, unsigned int);
