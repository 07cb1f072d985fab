// How likely rows of numbers are under a linear network, as if all that is hidden were normal.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>

#include "orrery/model/linear_network.hpp"

namespace orrery::linear {

class LinearDensity {
 public:
  /// Throws InputError if the covariance of the observed variables is singular (noise variances of
  /// 0), which leaves no density, or too large for a double.
  explicit LinearDensity(const model::LinearNetwork& network);
  LinearDensity(const LinearDensity&) = delete;
  LinearDensity& operator=(const LinearDensity&) = delete;
  ~LinearDensity();

  /// Log density in nats of each of densities.size() rows of n_observed values, of those that are
  /// not NaN; 0 for a row of none. A function of the rows alone, not of the number of threads.
  void log_densities(const double* rows, std::span<double> densities) const;

 private:
  struct Model;
  std::unique_ptr<const Model> model_;
};

/// The network's means and variances without its dependences.
model::LinearNetwork without_causes(const model::LinearNetwork& network);

}  // namespace orrery::linear
