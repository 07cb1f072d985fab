// A covariance matrix, and the same without each of some groups of rows: every step of the learner
// is done on the first, and once more on each of the others to see how far its result can be
// trusted (delete-a-group jackknife, Quenouille 1956, Tukey 1958).
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace orrery::linear_latent {

struct MomentSet {
  Eigen::MatrixXd full;
  std::vector<Eigen::MatrixXd> without;  ///< a group each; empty: exact moments
  double n_rows = 0;                     ///< 0: exact moments
  std::vector<std::string> names;        ///< of the variables

  [[nodiscard]] bool exact() const noexcept { return without.empty(); }
  [[nodiscard]] Eigen::Index n_variables() const noexcept { return full.rows(); }
};

/// Standard errors of a statistic, entry by entry, from its values without each group. Of none: 0.
template <class Matrix>
[[nodiscard]] Matrix jackknife_errors(const std::vector<Matrix>& without) {
  if (without.empty()) return {};
  const auto groups = static_cast<double>(without.size());
  Matrix mean = Matrix::Zero(without[0].rows(), without[0].cols());
  for (const Matrix& value : without) mean += value;
  mean /= groups;
  Matrix squares = Matrix::Zero(mean.rows(), mean.cols());
  for (const Matrix& value : without) squares += (value - mean).cwiseAbs2();
  return ((groups - 1) / groups * squares).cwiseSqrt();
}

/// True if an estimate differs from 0 at the level alpha of `tests` tests together (two-sided,
/// Bonferroni). Exact ones do if they are not rounding errors.
[[nodiscard]] inline bool is_significant(double estimate, double error, double alpha,
                                         double tests) {
  constexpr double rounding = 1e-7;
  if (error == 0) return std::abs(estimate) > rounding;
  return std::erfc(std::abs(estimate) / error / std::sqrt(2.0)) * tests < alpha;
}

}  // namespace orrery::linear_latent
