// Failures of all causes of an observed variable at once, from pairs of moments alone:
//
//   r_i = P(x = 0 | y_i = 1) / P(x = 0 | y_i = 0)      (Eq. (7)'s ratio, measured)
//       = f_i E[prod_{k != i} f_k^{y_k} | y_i = 1] / E[prod_{k != i} f_k^{y_k} | y_i = 0]
//
// is n equations for n failures, whatever network the causes have; Eq. (7) is the solution where
// they are independent, Eqs. (8) and (9) use triples where they are a tree, and Eq. (6) needs whole
// Markov blankets. In u = log f the derivative of log r_i by u_k is P'(y_k | y_i = 1) - P'(y_k |
// y_i = 0), with P' tilted by prod f^y (P(y | x = 0)): 1 for k = i and small elsewhere, so
// iterations with the derivative at f = 1 as their only matrix converge: a chord method, damped
// where the residual grows. The sums give all model ratios by one pass: P'(y_i = 1) against P(y_i =
// 1).
//
// Cost: 10 to 20 passes of CauseExpectations and n^2 each; the matrix once, 2 n passes and n^3.
// Memory: n^2.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/loadings/cause_expectations.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::anchored {

class RatioMatcher {
 public:
  /// `sums` must outlive it.
  explicit RatioMatcher(const CauseExpectations& sums);

  /// log f of the causes in `active` (rising), 0 of the others, from log r of all; `log_failures`
  /// holds where to start, and the solution (NaN if there is none in reach). Values are held within
  /// [least_log, most_log]. Returns false for no solution.
  bool solve(std::span<const double> log_ratios, std::span<const std::uint32_t> active,
             std::span<double> log_failures) const;

  static constexpr double least_log = -14;
  static constexpr double most_log = 3;

 private:
  [[nodiscard]] double residuals(std::span<const double> log_ratios,
                                 std::span<const std::uint32_t> active,
                                 std::span<const double> log_failures, Eigen::VectorXd& out) const;

  const CauseExpectations& sums_;
  Eigen::MatrixXd derivative_;  // at f = 1
  linalg::Lu of_all_;
  std::vector<double> log_odds_;  // of P(y_i = 1)
};

}  // namespace orrery::anchored
