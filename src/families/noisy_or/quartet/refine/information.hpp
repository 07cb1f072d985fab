// From the information of parameters to their standard errors.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace orrery::quartet {

/// Of a Beta(off + 1, on + 1) of a parameter: what it adds to the parameter's information.
[[nodiscard]] inline double curvature(double value, double off, double on) {
  return off / (value * value) + on / ((1 - value) * (1 - value));
}

/// The square roots of the inverse's diagonal; NaN where there is none. `information` is symmetric.
[[nodiscard]] std::vector<double> errors_of_information(const Eigen::MatrixXd& information);

}  // namespace orrery::quartet
