// Standard errors of all parameters at the end of EM.
//
// Source: Louis 1982 (the gradient of a row's log-likelihood is the posterior expectation of the
//         complete one); the information is the sum of the gradients' outer products over rows
//         (Berndt, Hall, Hall, Hausman 1974), plus the curvature of the parameters' priors.
//
//   d log P / d p        = (P(U | row) - p) / (p (1 - p))
//   d log P / d f, a off = P(U | row) / f;       a on: -(E[u_U / P(a on)] - P(U | row)) / f
//   d log P / d leak,    a off: -1 / (1 - leak); a on: (E[1 / P(a on)] - 1) / (1 - leak)
//
// Cost: N K^2 / 2 + K^3 for K parameters, 24 K^2 bytes per thread, K <= most_joint. For larger
// networks each cause is taken alone with its failures and the leaks of its children, the rest as
// known: errors are then a little too small.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "families/noisy_or/quartet/refine/em.hpp"
#include "learning/row_sums.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

/// Of a Beta(off + 1, on + 1) of a parameter: what it adds to the parameter's information.
[[nodiscard]] inline double curvature(double value, double off, double on) {
  return off / (value * value) + on / ((1 - value) * (1 - value));
}

/// The square roots of the inverse's diagonal; NaN where there is none. `information` is symmetric.
[[nodiscard]] std::vector<double> errors_of_information(const Eigen::MatrixXd& information);

/// Collective.
model::StandardErrors standard_errors(const learning::RowPass& rows,
                                      const model::NoisyOrNetwork& network,
                                      const FailurePrior& prior);

}  // namespace orrery::quartet
