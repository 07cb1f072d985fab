#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "families/linear/network/parts.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// B C B^T + D: the covariance of a level from that of the level above.
MatrixXd level_below(const MatrixXd& loadings, const MatrixXd& above, const VectorXd& noise) {
  MatrixXd covariance = loadings * above * loadings.transpose();
  covariance.diagonal() += noise;
  mirror_lower(covariance);
  return covariance;
}

/// Of the variables of every hidden level, from below upwards: their covariances.
std::vector<MatrixXd> level_covariances(const LinearParts& parts) {
  const auto k = static_cast<Index>(parts.cause_names.size());
  if (parts.coupling.size() > 0) {
    const MatrixXd effects =
        total_effects(parts.coupling, causal_order_of(parts.coupling, parts.cause_names));
    return {level_below(effects, parts.innovation.asDiagonal(), VectorXd::Zero(k))};
  }
  std::vector<MatrixXd> levels(parts.upper.size() + 1);
  levels.back() = parts.covariance;
  if (parts.covariance.size() == 0) {
    const Index top = parts.upper.empty() ? k : static_cast<Index>(parts.upper.back().names.size());
    levels.back() = MatrixXd::Identity(top, top);
  }
  for (std::size_t i = parts.upper.size(); i > 0; --i) {
    const UpperLevel& level = parts.upper[i - 1];
    levels[i - 1] = level_below(level.loadings, levels[i], level.noise);
  }
  return levels;
}

/// Refuses a hidden variable that never varies, and one that varies beyond what a double holds.
void require_variances(const LinearParts& parts, const std::vector<MatrixXd>& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto& names = i == 0 ? parts.cause_names : parts.upper[i - 1].names;
    for (Index j = 0; j < levels[i].rows(); ++j) {
      const double variance = levels[i](j, j);
      if (variance > 0 && std::isfinite(variance)) continue;
      throw InputError(
          fmt::format("cause {} has variance {}; a finite one of more than 0 is needed",
                      shown(names[static_cast<std::size_t>(j)]), variance));
    }
  }
  const VectorXd explained =
      (parts.loadings * levels.front()).cwiseProduct(parts.loadings).rowwise().sum();
  for (Index i = 0; i < explained.size(); ++i) {
    if (std::isfinite(explained(i) + parts.noise(i))) continue;
    throw InputError(fmt::format("observed variable {} has variance {}; a finite one is needed",
                                 shown(parts.names[static_cast<std::size_t>(i)]),
                                 explained(i) + parts.noise(i)));
  }
}

void scale_covariance(MatrixXd& covariance, const VectorXd& sd) {
  const VectorXd inverse = sd.cwiseInverse();
  covariance = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  covariance.diagonal().setOnes();
}

}  // namespace

LinearNetwork::LinearNetwork(LinearParts parts) : parts_(std::move(parts)) {
  check_and_fill(parts_);
  std::vector<MatrixXd> levels = level_covariances(parts_);
  require_variances(parts_, levels);
  covariance_ = std::move(levels.front());
}

std::size_t LinearNetwork::n_edges() const noexcept {
  return static_cast<std::size_t>((parts_.loadings.array() != 0).count());
}

std::vector<std::size_t> LinearNetwork::causal_order() const {
  std::vector<std::size_t> order(n_causes());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!has_coupling()) return order;
  const std::vector<Index> found = causal_order_of(parts_.coupling, parts_.cause_names);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::size_t>(found[i]);
  return order;
}

// h = S g with S the standard deviations of a level turns x = A h into x = (A S) g, h = Lambda h +
// eta into g = (S^-1 Lambda S) g + S^-1 eta, and h = B f + eta into g = (S^-1 B) f + S^-1 eta.
LinearNetwork LinearNetwork::canonical() const {
  LinearParts parts = parts_;
  const std::vector<MatrixXd> levels = level_covariances(parts);
  MatrixXd* loadings = &parts.loadings;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const VectorXd sd = levels[i].diagonal().cwiseSqrt();
    *loadings = *loadings * sd.asDiagonal();
    if (i < parts.upper.size()) {
      UpperLevel& level = parts.upper[i];
      level.loadings = sd.cwiseInverse().asDiagonal() * level.loadings;
      level.noise = level.noise.cwiseQuotient(levels[i].diagonal());
      loadings = &level.loadings;
    } else if (has_coupling()) {
      parts.coupling = sd.cwiseInverse().asDiagonal() * parts.coupling * sd.asDiagonal();
      parts.innovation = parts.innovation.cwiseQuotient(levels[i].diagonal());
    } else if (parts.covariance.size() > 0) {
      scale_covariance(parts.covariance, sd);
    }
  }
  return LinearNetwork(std::move(parts));
}

}  // namespace orrery::model
