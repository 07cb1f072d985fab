#include "families/linear/linear_latent/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "families/linear/linear_latent/low_rank_split.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-9;  // size of what an exact fit leaves

/// Correlations that the fit does not explain, in the metric of D.
VectorXd residual_of(const MatrixXd& covariance, const FactorSplit& split) {
  const VectorXd root = split.noise.cwiseSqrt().cwiseInverse();
  const MatrixXd left =
      root.asDiagonal() * (covariance - split.basis * split.basis.transpose()) * root.asDiagonal();
  const Index n = covariance.rows();
  VectorXd entries(n * (n - 1) / 2);
  Index next = 0;
  for (Index b = 0; b < n; ++b) {
    for (Index a = 0; a < b; ++a) entries[next++] = left(a, b);
  }
  return entries;
}

}  // namespace

model::RankStep test_rank(const MomentSet& moments, Index k) {
  const FactorSplit split = fit_noise(moments.full, k, first_noise(moments.full, k));
  model::RankStep step;
  step.rank = static_cast<std::uint32_t>(k);
  step.statistic = residual_of(moments.full, split).squaredNorm();
  if (moments.exact()) return step;

  const ResidualMap map(split);
  const auto groups = static_cast<Index>(moments.without.size());
  const auto count = static_cast<double>(groups);
  MatrixXd residuals(moments.n_variables() * (moments.n_variables() - 1) / 2, groups);
#pragma omp parallel for schedule(dynamic) default(shared)
  for (Index g = 0; g < groups; ++g) {
    // A group's own covariance differs from all rows' by -(G - 1) times what leaving it out does.
    residuals.col(g) =
        map((1 - count) * (moments.without[static_cast<std::size_t>(g)] - moments.full));
  }
  residuals.colwise() -= residuals.rowwise().mean().eval();
  const MatrixXd products = residuals.transpose() * residuals;
  const double trace = products.trace() / (count - 1);
  // Centred vectors of different groups have products of mean -trace / (G - 1) and of mean square
  // tr C^2 beyond its square.
  const double squares =
      (products.squaredNorm() - products.diagonal().squaredNorm()) / (count * (count - 1));
  const double mean = trace / (count - 1);
  step.expected = trace / count;
  step.error = std::sqrt(2 * std::max(squares - mean * mean, 0.0)) / count;
  return step;
}

bool is_rejected(const model::RankStep& step, bool exact) {
  // Three variables of one cause leave nothing but rounding errors, of any sample.
  if (step.statistic <= rounding * rounding) return false;
  return exact || step.statistic - step.expected > rejects * step.error;
}

Index causes_beyond_noise(const MomentSet& moments) {
  const VectorXd root = moments.full.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd correlations = root.asDiagonal() * moments.full * root.asDiagonal();
  const auto n = static_cast<double>(moments.n_variables());
  const double edge =
      moments.exact() ? 1 : std::pow(1 + std::sqrt(n / std::max(moments.n_rows, 1.0)), 2);
  const Index beyond = (linalg::eigenvalues_of(correlations).array() > edge).count();
  return std::min(beyond, moments.n_variables() / 3);
}

bool is_rough(const model::RankStep& step, bool exact) {
  return !exact && is_rejected(step, false) && step.statistic > 2 * step.expected;
}

RankChoice choose_rank(const MomentSet& moments) {
  const Index most = moments.n_variables() / 3;
  std::map<Index, model::RankStep> tried;
  const auto fails = [&](Index k) {
    const auto [at, is_new] = tried.try_emplace(k);
    if (is_new) at->second = test_rank(moments, k);
    return is_rejected(at->second, moments.exact());
  };
  Index k = causes_beyond_noise(moments);
  while (k < most && fails(k)) ++k;
  RankChoice choice;
  if (!fails(k)) {
    while (k > 0 && !fails(k - 1)) --k;
    choice.k = k;
  }
  for (const auto& [rank, step] : tried) choice.steps.push_back(step);
  return choice;
}

}  // namespace orrery::linear_latent
