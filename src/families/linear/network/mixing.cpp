#include "families/linear/network/mixing.hpp"

#include "families/linear/network/coupling.hpp"
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

}  // namespace orrery::model
