// The learned causes, as divisors of negative moments, and the moments with these causes subtracted
// off: JOINT and ADJUST of Jernite, Halpern, Sontag 2013 (Algorithm 1, lines 4 and 5; Eq. 3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "moments/joint_table.hpp"
#include "moments/moment_source.hpp"

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

/// P(S off) for the sets S of `members`, divided by the factors of the learned causes; bit k of a
/// set's mask is members[k]. One triple moment.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members);
/// The same with that triple moment given.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members, double triple);
/// The same for four variables. Four triple moments and one quartet moment.
QuartetMoments adjusted_quartet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 4>& members);

/// The leak that counts leave to a variable once its causes are subtracted off. `off`: the share of
/// rows in which the variable is off, divided by what its causes make of it (Eq. 3 of Jernite,
/// Halpern, Sontag 2013); noise may push it out of [0, 1]. From n_samples rows the leak is held
/// half a row inside (0, 1): a leak of 0 would call a row impossible because no row like it was
/// seen. Exact moments (n_samples 0) may have leaks of 0 and 1.
[[nodiscard]] inline double leak_of(double off, std::uint64_t n_samples) {
  const double least = n_samples > 0 ? 0.5 / static_cast<double>(n_samples) : 0;
  return std::clamp(1 - off, least, 1 - least);
}

}  // namespace orrery::moments
