// Failures and the leak of one observed variable in one view of the rows: Eqs. (6) to (11), and by
// the estimator that --loadings names: matched, direct, tree or blanket.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/moments/cause_moments.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/options.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::anchored {

// Matched: failures of all causes of an observed variable at once, from pairs of moments alone:
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

// All estimators: the tables that they take, and what they make of them.

/// P(x = 0, signs of a set) of a column: which products of a Frequencies it takes.
class SignProducts {
 public:
  /// Of every cause alone, and of every set of `sets` with its subsets.
  SignProducts(const std::vector<Sign>& signs, const std::vector<std::vector<std::uint32_t>>& sets);

  [[nodiscard]] const std::vector<Product>& products() const noexcept { return products_; }
  /// P(signs of `set`, x): 2^(|set| + 1) cells, the variable is the last member.
  [[nodiscard]] std::vector<double> table(const Frequencies& counts, std::size_t view,
                                          std::span<const std::uint32_t> set,
                                          std::size_t column) const;

 private:
  [[nodiscard]] std::size_t number(const std::vector<std::uint32_t>& set) const;

  std::vector<std::vector<std::uint32_t>> sets_;  // sorted
  std::vector<Product> products_;
};

/// P(y of `set`, x), recovered: the signs' rates undone.
std::vector<double> recover_with_variable(std::span<const double> observed,
                                          std::span<const std::array<double, 2>> rates,
                                          double regularise);

/// One view's means to estimate failures.
class FailureEstimator {
 public:
  FailureEstimator(const CauseView& view, const Options& options);

  /// log f of all causes from their tables with the column (P(y_i, x), 4 cells each); `matched` and
  /// `direct` need no more. Those not in `active` are 0. NaN: no solution.
  [[nodiscard]] std::vector<double> from_pairs(std::span<const std::array<double, 4>> pairs,
                                               std::span<const std::uint32_t> active,
                                               std::span<const double> start) const;
  /// Eqs. (8) and (9): `ratio` is Eq. (7)'s; `triples[k]` is P(y_i, y_k, x), 8 cells in this order,
  /// of neighbour number k. NaN where it divides by 0.
  [[nodiscard]] static double tree(double log_ratio, std::span<const double> pair,
                                   std::span<const std::vector<double>> triples,
                                   std::span<const std::array<double, 2>> neighbour_given_on);
  /// log of Eq. (6): P(y_i, y_B, x), the cause first. Each state b of the blanket estimates f; they
  /// are averaged, P(y_i = 0, b) P(y_i = 1, b) / P(b) their weights. NaN where no state is seen
  /// with both values of the cause.
  [[nodiscard]] static double blanket(std::span<const double> table);

 private:
  const Options& options_;
  std::unique_ptr<RatioMatcher> matcher_;
};

/// log of Eq. (7): P(x = 0 | y = 1) / P(x = 0 | y = 0), from P(y, x).
[[nodiscard]] double log_ratio(std::span<const double> pair);

/// Eq. (10): 1 - P(x = 0) / P_-l(x = 0), the product, sum or draws (Eq. (11)) that `causes` is of.
/// `failures`: of every cause; beyond 1 taken as 1. Below 0 where x is off more often than causes
/// allow.
[[nodiscard]] double leak(double off, std::span<const double> failures,
                          const CauseExpectations& causes);

/// What all units share.
struct FailureWork {
  /// Throws InputError naming a cause whose Markov blanket is too large for Eq. (6).
  explicit FailureWork(const LoadingsInput& given);

  const LoadingsInput& input;
  std::vector<std::vector<std::uint32_t>> neighbours;  ///< of `tree`
  std::vector<std::vector<std::uint32_t>> blankets;    ///< of `blanket`
  SignProducts products;
  std::vector<FailureEstimator> estimators;  ///< a view
};

/// Failures of one observed variable by the estimator that --loadings names: which tables of signs
/// it takes, and their rates undone.
class VariableFailures {
 public:
  /// `column`: its number in `counts`, which are of work.products.
  VariableFailures(const FailureWork& work, const Frequencies& counts, std::size_t column)
      : work_(work), counts_(counts), column_(column) {}

  /// log f of the active causes in a view. `start`: of view 0, or empty.
  [[nodiscard]] std::vector<double> estimate(std::size_t view,
                                             std::span<const std::uint32_t> active,
                                             std::span<const double> start) const;
  /// P(x = 0)
  [[nodiscard]] double off(std::size_t view) const {
    return 1 - counts_.on(view, 0, column_);  // product 0 is empty
  }

 private:
  [[nodiscard]] std::vector<double> recovered(std::size_t view,
                                              const std::vector<std::uint32_t>& set) const;
  [[nodiscard]] std::vector<std::array<double, 4>> recovered_pairs(std::size_t view) const;
  [[nodiscard]] double tree(std::size_t view, std::uint32_t i, std::span<const double> pair) const;
  [[nodiscard]] double blanket(std::size_t view, std::uint32_t i) const;

  const FailureWork& work_;
  const Frequencies& counts_;
  std::size_t column_;
};

}  // namespace orrery::anchored
