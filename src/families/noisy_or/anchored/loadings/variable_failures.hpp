// Failures of one observed variable by the estimator that --loadings names: which tables of signs
// it takes, and their rates undone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"

namespace orrery::anchored {

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
