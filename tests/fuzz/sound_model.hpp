// What every model that a reader lets through must be.
#pragma once

#include <cmath>
#include <vector>

#include "orrery/model/learned_model.hpp"
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
  require(a.provenance == b.provenance);
  require_equal(a.errors.prior, b.errors.prior);
  require_equal(a.errors.leak, b.errors.leak);
  require_equal(a.errors.failure, b.errors.failure);
  require(a.stability == b.stability);
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

}  // namespace orrery::fuzz
