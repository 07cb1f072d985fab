// The learned causes, as divisors of negative moments (Jernite et al. 2013, Eq. 3).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace orrery::moments {

class Subtraction {
 public:
  explicit Subtraction(std::size_t n_observed) : n_observed_(n_observed) {}

  /// `failures`: m values, 1 where there is no edge. The errors are standard errors (m values a
  /// cause; left out: exact).
  void add(double prior, std::span<const double> failures, double prior_error = 0,
           std::span<const double> failure_errors = {});

  [[nodiscard]] std::size_t n_causes() const noexcept { return priors_.size(); }
  [[nodiscard]] bool empty() const noexcept { return priors_.empty(); }
  [[nodiscard]] double prior(std::size_t cause) const noexcept { return priors_[cause]; }
  [[nodiscard]] double failure(std::size_t cause, std::size_t observed) const noexcept {
    return failures_[cause * n_observed_ + observed];
  }
  /// Standard errors; 0 where the parameter is exact.
  [[nodiscard]] double prior_error(std::size_t cause) const noexcept {
    return prior_errors_[cause];
  }
  [[nodiscard]] double failure_error(std::size_t cause, std::size_t observed) const noexcept {
    return failure_errors_[cause * n_observed_ + observed];
  }
  /// Product over causes of 1 - p + p * (product of failures over `set`): divide the moment of
  /// `set` by it. O(causes * |set|).
  [[nodiscard]] double factor(std::span<const std::size_t> set) const;
  [[nodiscard]] double factor(std::initializer_list<std::size_t> set) const {
    return factor(std::span(set.begin(), set.size()));
  }
  /// factors[d] = factor(set + {d}) for first <= d < m. O(causes * (m - first)).
  void factors(std::initializer_list<std::size_t> set, std::size_t first,
               std::span<double> factors) const;

 private:
  std::size_t n_observed_;
  std::vector<double> priors_;
  std::vector<double> failures_;  // causes x m
  std::vector<double> prior_errors_;
  std::vector<double> failure_errors_;  // causes x m
};

}  // namespace orrery::moments
