// Purpose: exact second and third central moments of a linear network.
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Theorem 3.1 (Sigma) and Theorem 3.7 (Psi).
//
//   paper            code        shape
//   Sigma            covariance  n x n
//   A (I-Lambda)^-1  factors     n x number of independent parts
//   Psi(., ., theta) contract    n x n
//
// Cost: O(n^2 k) time, O(n^2) memory. Psi itself, n^3 numbers, is never formed.
#include "families/linear/network/moments.hpp"

#include "families/linear/network/mixing.hpp"
#include "families/linear/network/parts.hpp"

namespace orrery::model {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd exact_covariance(const LinearNetwork& network) {
  MatrixXd covariance = network.loadings() * network.covariance() * network.loadings().transpose();
  covariance.diagonal() += network.noise();
  mirror_lower(covariance);
  return covariance;
}

ThirdMoments exact_third_moments(const LinearNetwork& network) {
  const CauseMixing mixing = mixing_of(network);
  return {network.loadings() * mixing.effects,
          skewness_of(network.law()) * mixing.variances.array().pow(1.5).matrix()};
}

MatrixXd contract(const ThirdMoments& moments, const VectorXd& theta) {
  const VectorXd weights = moments.third.cwiseProduct(moments.factors.transpose() * theta);
  MatrixXd contracted = moments.factors * weights.asDiagonal() * moments.factors.transpose();
  mirror_lower(contracted);
  return contracted;
}

}  // namespace orrery::model
