// Purpose: the independent parts of a linear network's causes; exact second and third central
// moments, and fourth cumulants.
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Theorem 3.1 (Sigma) and Theorem 3.7 (Psi).
//
//   paper            code        shape
//   Sigma            covariance  n x n
//   A (I-Lambda)^-1  factors     n x number of independent parts
//   Psi(., ., theta) contract    n x n
//
// Cost: O(n^2 k) time, O(n^2) memory. Psi itself, n^3 numbers, is never formed.
#include "families/linear/network/moments.hpp"

#include "families/linear/network/network.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

CauseMixing innovations_of(const LinearNetwork& network) {
  const LinearParts& parts = network.parts();
  return {total_effects(parts.coupling, causal_order_of(parts.coupling, parts.cause_names)),
          parts.innovation};
}

/// R with R R^T = covariance, lower triangular.
MatrixXd root_of(const MatrixXd& covariance) {
  const VectorXd sd = covariance.diagonal().cwiseSqrt();
  const MatrixXd correlation =
      sd.cwiseInverse().asDiagonal() * covariance * sd.cwiseInverse().asDiagonal();
  return sd.asDiagonal() * linalg::Cholesky(correlation).root();
}

}  // namespace

CauseMixing mixing_of(const LinearNetwork& network) {
  if (network.has_coupling()) return innovations_of(network);
  const std::vector<UpperLevel>& upper = network.upper();
  const auto k = static_cast<Index>(network.n_causes());
  const Index top = upper.empty() ? k : static_cast<Index>(upper.back().names.size());
  Index n_parts = top;
  for (const UpperLevel& level : upper) n_parts += level.noise.size();

  CauseMixing mixing{MatrixXd::Zero(k, n_parts), VectorXd::Ones(n_parts)};
  MatrixXd down = MatrixXd::Identity(k, k);  // what a unit of the level adds to the causes
  Index end = n_parts;
  for (const UpperLevel& level : upper) {
    end -= level.noise.size();
    mixing.effects.middleCols(end, level.noise.size()) = down;
    mixing.variances.segment(end, level.noise.size()) = level.noise;
    down = down * level.loadings;
  }
  const MatrixXd& covariance = network.parts().covariance;
  mixing.effects.leftCols(top) =
      covariance.size() == 0 ? down : MatrixXd(down * root_of(covariance));
  return mixing;
}

double skewness_of(CauseLaw law) { return law == CauseLaw::skewed ? 2 : 0; }

double excess_kurtosis_of(CauseLaw law) {
  // Of the exponential law 9 - 3; of Student's t with d = 5 degrees of freedom 6 / (d - 4).
  return law == CauseLaw::gaussian ? 0 : 6;
}

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

FourthCumulants exact_fourth_cumulants(const LinearNetwork& network) {
  const CauseMixing mixing = mixing_of(network);
  return {network.loadings() * mixing.effects,
          excess_kurtosis_of(network.law()) * mixing.variances.cwiseAbs2()};
}

}  // namespace orrery::model
