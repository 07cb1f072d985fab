#include "families/noisy_or/quartet/refine/information.hpp"

#include <cmath>
#include <limits>

#include "linalg/decompositions.hpp"

namespace orrery::quartet {

std::vector<double> errors_of_information(const Eigen::MatrixXd& information) {
  const Eigen::Index k = information.rows();
  std::vector<double> errors(static_cast<std::size_t>(k), std::numeric_limits<double>::quiet_NaN());
  // Equal scales before the inversion: leaks and failures differ by orders of magnitude.
  const Eigen::VectorXd scale = information.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const linalg::Ldlt factors(scaled);
  const Eigen::MatrixXd inverse = factors.inverse();
  for (Eigen::Index i = 0; i < k; ++i) {
    const double variance = inverse(i, i);
    if (factors.succeeded() && variance > 0 && std::isfinite(variance)) {
      errors[static_cast<std::size_t>(i)] = std::sqrt(variance) * scale(i);
    }
  }
  return errors;
}

}  // namespace orrery::quartet
