// Networks and moments for the tests of the linear learner.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "families/linear/linear_latent/level.hpp"
#include "families/linear/linear_latent/loadings.hpp"
#include "families/linear/linear_latent/observations.hpp"
#include "families/linear/network/generators.hpp"
#include "families/linear/network/moments.hpp"
#include "learning/alone.hpp"
#include "moments/dense_products.hpp"
#include "orrery/model/linear_sampling.hpp"

namespace orrery::linear_latent {

using learning::Alone;

inline model::LinearNetwork generated(const std::string& spec, std::uint64_t seed,
                                      double correlation = 0) {
  model::LinearParameters parameters;
  parameters.correlation = correlation;
  return *model::generate_linear(spec, seed, parameters);
}

/// Loadings as they are, for the tests of steps that take them from others.
inline Loadings true_loadings(const model::LinearNetwork& network) {
  Loadings loadings;
  loadings.estimates = loadings.significant = network.loadings();
  loadings.covariance = network.covariance();
  return loadings;
}

inline MomentSet exact_moments(const model::LinearNetwork& network) {
  return {model::exact_covariance(network), {}, 0, network.names()};
}

/// Of sampled rows as they are, in the learner's groups.
inline MomentSet sampled_moments(const model::LinearNetwork& network, std::uint64_t seed,
                                 std::uint64_t n_rows) {
  const auto n = static_cast<Eigen::Index>(network.n_observed());
  const moments::Standard standard{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Ones(n)};
  const std::size_t size = moments::product_sums_size(network.n_observed(), false);
  std::vector<std::vector<double>> sums;
  std::vector<double> total(size, 0);
  for (std::uint64_t g = 0; g < n_groups(n_rows); ++g) {
    const RowRange rows = rows_of_group(g, n_rows);
    const data::DenseBlock block = model::sample_linear_rows(
        network, seed, rows.first, static_cast<std::size_t>(rows.last - rows.first));
    moments::ProductSums products(standard, false);
    products.add(block.values.data(), block.n_rows);
    products.move_to(sums.emplace_back(size, 0.0));
    for (std::size_t i = 0; i < size; ++i) total[i] += sums.back()[i];
  }
  MomentSet set;
  set.n_rows = static_cast<double>(n_rows);
  set.names = network.names();
  set.full = moments::covariance_from(total, network.n_observed(), false).matrix;
  for (const auto& group : sums) {
    std::vector<double> rest(size);
    for (std::size_t i = 0; i < size; ++i) rest[i] = total[i] - group[i];
    set.without.push_back(moments::covariance_from(rest, network.n_observed(), false).matrix);
  }
  return set;
}

}  // namespace orrery::linear_latent
