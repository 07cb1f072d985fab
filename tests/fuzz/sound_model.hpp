// What every model that a reader lets through must be.
#pragma once

#include <cmath>
#include <vector>

#include "model/model_parts.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"
#include "target.hpp"

namespace orrery::fuzz {

/// Written so that NaN is none.
inline bool is_probability(double value) { return value >= 0 && value <= 1; }

/// Of as many as there should be.
inline void require_errors(const std::vector<double>& errors, std::size_t n) {
  require(errors.size() == n);
  for (const double error : errors) require(error >= 0 || std::isnan(error));
}
inline void require_shares(const std::vector<double>& shares, std::size_t n) {
  require(shares.size() == n);
  for (const double share : shares) require(is_probability(share));
}

inline void require_sound(const model::LearnedModel& model) {
  const auto& network = model.network;
  for (const auto& cause : network.causes()) require(is_probability(cause.prior));
  for (const auto& observed : network.observed()) require(is_probability(observed.leak));
  for (const auto& edge : network.edges()) {
    require(edge.cause < network.n_causes() && edge.observed < network.n_observed());
    require(is_probability(edge.failure) && edge.failure < 1);
  }
  require(model.provenance.empty() || model.provenance.size() == network.n_causes());
  for (const auto& origin : model.provenance) {
    for (const std::int32_t index : origin.quartet) {
      require(index >= -1 && index < static_cast<std::int64_t>(network.n_observed()));
    }
  }
  if (!model.errors.empty()) {
    require_errors(model.errors.prior, network.n_causes());
    require_errors(model.errors.leak, network.n_observed());
    require_errors(model.errors.failure, network.edges().size());
  }
  if (model.stability.resamples > 0) {
    require_shares(model.stability.cause, network.n_causes());
    require_shares(model.stability.edge, network.edges().size());
  }
  const std::size_t n = network.n_causes();
  require(network.cause_network().n_causes() == n && network.cause_network().order().size() == n);
  for (const auto& table : network.cause_network().tables()) {
    require(table.on.size() == std::size_t{1} << table.parents.size());
    for (const std::uint32_t parent : table.parents) require(parent < n);
    for (const double on : table.on) require(is_probability(on));
  }
  for (const auto& anchor : network.anchors()) {
    require(anchor.cause < n && anchor.observed < network.n_observed());
  }
  require(model.rates.empty() || model.rates.size() == network.anchors().size());
  for (const auto& rates : model.rates) {
    require(is_probability(rates.off) && is_probability(rates.on));
    require_errors({rates.off_error, rates.on_error}, 2);
  }
  require(model.moments.order() == 0 || model.moments.n_variables() == n);
  for (const double cell : model.moments.cells()) require(cell >= 0 && cell <= 1 + 1e-9);
}

/// All parts are; NaN equals NaN.
template <class Model>
void require_equal(const Model& a, const Model& b) {
  require(model::parts_of(a) == model::parts_of(b));
}

inline void require_sound(const model::LearnedTree& learned) {
  const auto& tree = learned.tree;
  require(tree.after_parents().size() == tree.n_variables());
  require(tree.crossover() >= 0 && tree.crossover() < .5);
  require(learned.crossover_error >= 0 || std::isnan(learned.crossover_error));
  for (const double mean : tree.means()) require(std::abs(mean) < 1);
  for (const auto& edge : tree.edges()) {
    require(edge.a < edge.b && edge.b < tree.n_variables() && std::abs(edge.moment) < 1.001);
  }
  if (!learned.edge_errors.empty()) require_errors(learned.edge_errors, tree.edges().size());
}

inline std::vector<double> entries(const Eigen::MatrixXd& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}
/// Not known, or as many as there should be.
inline void require_errors_if_any(const Eigen::MatrixXd& errors, std::size_t n) {
  if (errors.size() > 0) require_errors(entries(errors), n);
}

inline void require_sound(const model::LearnedLinear& learned) {
  const auto& network = learned.network;
  const std::size_t n = network.n_observed();
  const std::size_t k = network.n_causes();
  require(entries(network.loadings()).size() == n * k && network.loadings().allFinite());
  require(entries(network.noise()).size() == n && network.means().allFinite());
  for (const double variance : entries(network.noise())) require(variance >= 0);
  require(entries(network.covariance()).size() == k * k && network.covariance().allFinite());
  for (const double variance : entries(network.covariance().diagonal())) require(variance > 0);
  require(network.causal_order().size() == k);
  require(learned.estimates.size() == 0 || entries(learned.estimates).size() == n * k);
  require_errors_if_any(learned.loading_errors, n * k);
  require_errors_if_any(learned.noise_errors, n);
  require_errors_if_any(learned.covariance_errors, k * k);
  require_errors_if_any(learned.coupling_errors, k * k);
}

inline void require_distribution(const double* values, std::size_t n) {
  double sum = 0;
  for (std::size_t l = 0; l < n; ++l) {
    require(values[l] >= 0);
    sum += values[l];
  }
  require(std::abs(sum - 1) < 1e-8);
}

inline void require_sound(const model::LearnedCategorical& learned) {
  const model::CategoricalNetwork& network = learned.network;
  for (const auto& cause : network.causes()) {
    require(cause.cardinality() >= 2);
    require_distribution(cause.prior.data(), cause.cardinality());
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto& variable = network.variables()[i];
    const std::size_t n = variable.n_categories();
    require(n >= 1 && n <= 64 && variable.table.size() == n * network.n_configurations(i));
    require(variable.counts.empty() || variable.counts.size() == variable.table.size());
    for (const std::uint32_t parent : variable.parents) require(parent < network.n_causes());
    for (std::size_t j = 0; j < network.n_configurations(i); ++j) {
      require_distribution(variable.table.data() + j * n, n);
    }
  }
  require(static_cast<std::size_t>(learned.structure.cols()) == learned.parent_sets.size());
  for (const auto& mode : learned.modes) require(mode.variable < network.n_observed());
}

}  // namespace orrery::fuzz
