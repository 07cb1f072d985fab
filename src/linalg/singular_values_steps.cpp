// The steps of singular_values.cpp that are templates of their own: to bidiagonal form, and the
// decomposition of small blocks.
#include <Eigen/SVD>

template class Eigen::internal::UpperBidiagonalization<Eigen::MatrixXd>;
template class Eigen::JacobiSVD<Eigen::MatrixXd>;
