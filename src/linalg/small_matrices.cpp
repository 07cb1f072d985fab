#include <Eigen/SVD>

#include "linalg/decompositions.hpp"

namespace orrery::linalg {

SmallSingularDecomposition singular_decomposition_of(const Eigen::Matrix4d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix4d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace orrery::linalg
