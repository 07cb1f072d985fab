// What every model that a reader lets through must be.
#pragma once

#include <cmath>
#include <vector>

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

/// NaN equals NaN.
inline void require_equal(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    require(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])));
  }
}

inline void require_equal(const model::LearnedModel& a, const model::LearnedModel& b) {
  require(a.network.edges() == b.network.edges());
  require(a.network.n_causes() == b.network.n_causes());
  require(a.network.n_observed() == b.network.n_observed());
  for (std::size_t i = 0; i < a.network.n_causes(); ++i) {
    require(a.network.causes()[i].name == b.network.causes()[i].name);
    require(a.network.causes()[i].prior == b.network.causes()[i].prior);
  }
  for (std::size_t i = 0; i < a.network.n_observed(); ++i) {
    require(a.network.observed()[i].name == b.network.observed()[i].name);
    require(a.network.observed()[i].leak == b.network.observed()[i].leak);
  }
  require(a.network.cause_network() == b.network.cause_network());
  require(a.network.anchors() == b.network.anchors());
  require(a.provenance == b.provenance);
  require_equal(a.errors.prior, b.errors.prior);
  require_equal(a.errors.leak, b.errors.leak);
  require_equal(a.errors.failure, b.errors.failure);
  require(a.stability == b.stability);
  require(a.rates.size() == b.rates.size());
  for (std::size_t i = 0; i < a.rates.size(); ++i) {
    const auto& one = a.rates[i];
    const auto& other = b.rates[i];
    require_equal(std::vector{one.off, one.on, one.off_error, one.on_error},
                  std::vector{other.off, other.on, other.off_error, other.on_error});
    require(one.source == other.source);
  }
  require(a.moments == b.moments && a.remarks == b.remarks);
  require(a.learner == b.learner && a.data_digest == b.data_digest && a.n_samples == b.n_samples);
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

inline void require_equal(const model::LearnedTree& a, const model::LearnedTree& b) {
  require(a.tree.names() == b.tree.names() && a.tree.means() == b.tree.means());
  require(a.tree.edges() == b.tree.edges() && a.tree.crossover() == b.tree.crossover());
  require_equal(a.edge_errors, b.edge_errors);
  require_equal(std::vector{a.crossover_error}, std::vector{b.crossover_error});
  require(a.learner == b.learner && a.data_digest == b.data_digest && a.n_samples == b.n_samples);
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
  require(entries(network).size() == n * k && network.allFinite());
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

inline void require_equal(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  require(a.rows() == b.rows() && a.cols() == b.cols());
  require_equal(entries(a), entries(b));
}

inline void require_equal(const model::LearnedLinear& a, const model::LearnedLinear& b) {
  require(a.network.names() == b.network.names() && a.network.law() == b.network.law());
  require(a.network.cause_names() == b.network.cause_names());
  require_equal(a.network.means(), b.network.means());
  require_equal(a.network, b.network);
  require_equal(a.network.noise(), b.network.noise());
  require_equal(a.network.covariance(), b.network.covariance());
  require_equal(a.network.coupling(), b.network.coupling());
  require(a.network.upper().size() == b.network.upper().size());
  require_equal(a.estimates, b.estimates);
  require_equal(a.loading_errors, b.loading_errors);
  require_equal(a.noise_errors, b.noise_errors);
  require_equal(a.covariance_errors, b.covariance_errors);
  require_equal(a.coupling_errors, b.coupling_errors);
  require(a.rank_test.size() == b.rank_test.size() && a.remarks == b.remarks);
  require(a.learner == b.learner && a.data_digest == b.data_digest && a.n_samples == b.n_samples);
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

inline void require_equal(const model::LearnedCategorical& a, const model::LearnedCategorical& b) {
  require(a.network == b.network && a.parent_sets == b.parent_sets);
  require_equal(a.structure, b.structure);
  require(a.modes.size() == b.modes.size() && a.choices.size() == b.choices.size());
  for (std::size_t m = 0; m < a.modes.size(); ++m) {
    require(a.modes[m].variable == b.modes[m].variable && a.modes[m].parents == b.modes[m].parents);
    require_equal(std::vector{a.modes[m].log_evidence}, std::vector{b.modes[m].log_evidence});
  }
  for (std::size_t c = 0; c < a.choices.size(); ++c) {
    require(a.choices[c].n_causes == b.choices[c].n_causes);
    require_equal(std::vector{a.choices[c].held_out, a.choices[c].error},
                  std::vector{b.choices[c].held_out, b.choices[c].error});
  }
  require(a.remarks == b.remarks && a.learner == b.learner && a.data_digest == b.data_digest);
  require(a.evidence_kind == b.evidence_kind && a.n_samples == b.n_samples);
  require_equal(std::vector{a.log_evidence}, std::vector{b.log_evidence});
}

}  // namespace orrery::fuzz
