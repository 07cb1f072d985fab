// Purpose: a linear network and its canonical form; the checks of its parts; innovations that give
// causes variance 1; the order and the total effects of causes that are coupled.
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Definition 2.2 (canonical form) and Eq. (6).
// Cost: O(k^3) for the covariance, O(k) an edge of the coupling.
#include "families/linear/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "linalg/decompositions.hpp"
#include "model/json_entry.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Least share of a cause's variance that those before it leave: below it the root of the
// covariance is rounding error.
constexpr double least_share = 1e-12;

/// Shape and finite numbers. A matrix without an entry gets its shape.
void require_matrix(MatrixXd& matrix, Index rows, Index columns, std::string_view name) {
  if (matrix.size() == 0 && rows * columns == 0) matrix.resize(rows, columns);
  if (matrix.rows() != rows || matrix.cols() != columns) {
    throw InputError(fmt::format("{} has {} rows of {} values; {} rows of {} are needed", name,
                                 matrix.rows(), matrix.cols(), rows, columns));
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (std::isfinite(matrix(i, j))) continue;
      throw InputError(
          fmt::format("{}[{}][{}] = {}; a finite number is needed", name, i, j, matrix(i, j)));
    }
  }
}

enum class Sign { any, not_negative, positive };

void require_vector(const VectorXd& values, std::size_t size, Sign sign, std::string_view name) {
  if (values.size() != static_cast<Index>(size)) {
    throw InputError(fmt::format("{} has {} values; {} are needed", name, values.size(), size));
  }
  for (Index i = 0; i < values.size(); ++i) {
    const double value = values(i);
    const bool fits = std::isfinite(value) && (sign == Sign::any || value > 0 ||
                                               (sign == Sign::not_negative && value == 0));
    if (fits) continue;
    throw InputError(fmt::format("{}[{}] = {}; {} is needed", name, i, value,
                                 sign == Sign::any            ? "a finite number"
                                 : sign == Sign::not_negative ? "a variance, 0 or more,"
                                                              : "a variance of more than 0"));
  }
}

void require_positive_definite(const MatrixXd& covariance) {
  const VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  const linalg::Cholesky factors(correlation);
  if (factors.is_positive_definite() &&
      factors.diagonal().array().square().minCoeff() >= least_share) {
    return;
  }
  throw InputError(
      fmt::format("covariance is not positive definite: the least eigenvalue of its correlations "
                  "is {:.3g}, more than 0 is needed",
                  linalg::eigenvalues_of(correlation)(0)));
}

void check_covariance(MatrixXd& covariance, Index size) {
  if (covariance.size() == 0) return;
  require_matrix(covariance, size, size, "covariance");
  for (Index i = 0; i < size; ++i) {
    if (covariance(i, i) > 0) continue;
    throw InputError(fmt::format("covariance[{0}][{0}] = {1}; a variance of more than 0 is needed",
                                 i, covariance(i, i)));
  }
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double size_of_pair = std::sqrt(covariance(i, i)) * std::sqrt(covariance(j, j));
      if (!(std::abs(covariance(i, j) - covariance(j, i)) <= text_rounding * size_of_pair)) {
        throw InputError(fmt::format(
            "covariance[{0}][{1}] = {2}, but covariance[{1}][{0}] = {3}; they must be the same", i,
            j, covariance(i, j), covariance(j, i)));
      }
    }
  }
  mirror_lower(covariance);
  require_positive_definite(covariance);
}

void require_no_loop(const MatrixXd& coupling) {
  for (Index i = 0; i < coupling.rows(); ++i) {
    if (coupling(i, i) == 0) continue;
    throw InputError(fmt::format(
        "coupling[{0}][{0}] = {1}; 0 is needed: no cause depends on itself", i, coupling(i, i)));
  }
}

/// Such that each cause has variance 1: what those it depends on explain is taken off.
VectorXd unit_innovations(const LinearParts& parts, const std::vector<Index>& order) {
  const MatrixXd effects = total_effects(parts.coupling, order);
  VectorXd innovation = VectorXd::Zero(parts.coupling.rows());
  for (const Index i : order) {
    // Row i of the effects less its own innovation; those of later causes are still 0.
    const double explained = effects.row(i).array().square().matrix().dot(innovation);
    innovation(i) = 1 - explained;
    if (innovation(i) > 0) continue;
    throw InputError(
        fmt::format("coupling: the causes that {} depends on give it variance {:.6g}, so that no "
                    "innovation makes it 1; give innovations",
                    shown(parts.cause_names[static_cast<std::size_t>(i)]), explained));
  }
  return innovation;
}

void check_coupling(LinearParts& parts) {
  if (parts.coupling.size() == 0) {
    if (parts.innovation.size() == 0) return;
    throw InputError("innovation is given without a coupling; causes have a covariance then");
  }
  const auto k = static_cast<Index>(parts.cause_names.size());
  require_matrix(parts.coupling, k, k, "coupling");
  require_no_loop(parts.coupling);
  if (!parts.upper.empty()) {
    throw InputError("levels are given beside a coupling; a network has one or the other");
  }
  if (parts.covariance.size() > 0) {
    throw InputError("covariance is given beside a coupling, from which it follows; leave it out");
  }
  const std::vector<Index> order = causal_order_of(parts.coupling, parts.cause_names);
  if (parts.innovation.size() == 0) parts.innovation = unit_innovations(parts, order);
  require_vector(parts.innovation, parts.cause_names.size(), Sign::positive, "innovation");
}

void check_levels(LinearParts& parts) {
  std::size_t below = parts.cause_names.size();
  for (std::size_t i = 0; i < parts.upper.size(); ++i) {
    UpperLevel& level = parts.upper[i];
    const std::string name = fmt::format("levels[{}]", i);
    if (level.names.empty()) {
      throw InputError(fmt::format("{} has no cause; leave the level out", name));
    }
    data::require_names(level.names, name + ".causes");
    require_room(level.names.size(), level.names.size());
    require_matrix(level.loadings, static_cast<Index>(below),
                   static_cast<Index>(level.names.size()), name + ".loadings");
    require_vector(level.noise, below, Sign::not_negative, name + ".noise");
    below = level.names.size();
  }
}

/// "a -> b -> a", of causes that wait for others. Each waits for another that waits: going up ends
/// where it was before.
std::string cycle_among(const MatrixXd& coupling, const std::vector<Index>& waits_for,
                        const std::vector<std::string>& names) {
  const auto waits = [&](Index i) { return waits_for[static_cast<std::size_t>(i)] > 0; };
  std::vector<Index> path;
  Index next = 0;
  while (!waits(next)) ++next;
  while (std::ranges::find(path, next) == path.end()) {
    path.push_back(next);
    Index parent = 0;
    while (coupling(next, parent) == 0 || !waits(parent)) ++parent;
    next = parent;
  }
  std::string cycle = shown(names[static_cast<std::size_t>(next)]);
  for (auto cause = path.rbegin(); *cause != next; ++cause) {
    cycle += " -> " + shown(names[static_cast<std::size_t>(*cause)]);
  }
  return cycle + " -> " + shown(names[static_cast<std::size_t>(next)]);
}

}  // namespace

void check_and_fill(LinearParts& parts) {
  const std::size_t n = parts.names.size();
  const std::size_t k = parts.cause_names.size();
  require_room(n, k);
  require_room(k, k);
  data::require_names(parts.names, "observed");
  data::require_names(parts.cause_names, "causes");
  if (parts.means.size() == 0) parts.means = VectorXd::Zero(static_cast<Index>(n));
  require_vector(parts.means, n, Sign::any, "means");
  require_matrix(parts.loadings, static_cast<Index>(n), static_cast<Index>(k), "loadings");
  require_vector(parts.noise, n, Sign::not_negative, "noise");
  check_coupling(parts);
  check_levels(parts);
  const std::size_t top = parts.upper.empty() ? k : parts.upper.back().names.size();
  check_covariance(parts.covariance, static_cast<Index>(top));
}

void mirror_lower(MatrixXd& matrix) {
  for (Index j = 1; j < matrix.cols(); ++j) {
    for (Index i = 0; i < j; ++i) matrix(i, j) = matrix(j, i);
  }
}

void require_room(std::size_t n_rows, std::size_t n_columns) {
  if (n_rows == 0 || n_columns <= most_entries / n_rows) return;
  throw InputError(
      fmt::format("a matrix of {} x {} entries, of causes and variables or of causes, is too "
                  "large; {} entries are the most",
                  n_rows, n_columns, most_entries));
}

std::vector<Index> causal_order_of(const MatrixXd& coupling,
                                   const std::vector<std::string>& names) {
  const Index k = coupling.rows();
  std::vector<Index> waits_for(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) {
    waits_for[static_cast<std::size_t>(i)] = (coupling.row(i).array() != 0).count();
  }
  std::vector<Index> order;
  constexpr Index placed = -1;
  while (static_cast<Index>(order.size()) < k) {
    const auto next = std::ranges::find(waits_for, Index{0});
    if (next == waits_for.end()) break;
    const Index i = next - waits_for.begin();
    *next = placed;
    order.push_back(i);
    for (Index j = 0; j < k; ++j) {
      if (coupling(j, i) != 0) --waits_for[static_cast<std::size_t>(j)];
    }
  }
  if (static_cast<Index>(order.size()) == k) return order;

  throw InputError(fmt::format("coupling has the cycle {}; causes must have an order",
                               cycle_among(coupling, waits_for, names)));
}

MatrixXd total_effects(const MatrixXd& coupling, const std::vector<Index>& order) {
  MatrixXd effects = MatrixXd::Identity(coupling.rows(), coupling.rows());
  for (const Index i : order) {
    for (const Index j : order) {
      if (coupling(i, j) != 0) effects.row(i) += coupling(i, j) * effects.row(j);
    }
  }
  return effects;
}

// ---- the network, whose parts are checked

namespace {

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
