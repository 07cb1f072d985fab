// The step of singular_values.cpp that brings a matrix to bidiagonal form, by reflections.
#include "linalg/singular_values_steps.hpp"

template orrery::linalg::BidiagonalForm&
Eigen::internal::UpperBidiagonalization<Eigen::MatrixXd>::compute(const Eigen::MatrixXd&);
