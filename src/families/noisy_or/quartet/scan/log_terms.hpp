// Learned causes as terms of log moments, in which they add up (Eq. 3 of Jernite, Halpern, Sontag
// 2013 in logarithms). For many causes of which few touch a given pair.
//
//   T_S(U) = log(1 - p + p prod_{a in S} f_a)        U's factor of P(S off)
//   L_ab(U) = T_ab - T_a - T_b                       what U adds to log P(ab) / (P(a) P(b))
//   L_{ab | x off}(U)                                the same with the prior P(U | x off)
//
// Cost: a pair takes the causes of one of its variables; memory 8 bytes per cause and variable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::quartet {

/// L_ab of a cause of this prior with these failures.
[[nodiscard]] double coupling(double prior, double failure_a, double failure_b);
/// The prior with which it is this; the largest, 1/2, if none is.
[[nodiscard]] double prior_of_coupling(double coupled, double failure_a, double failure_b);
class LogTerms {
 public:
  explicit LogTerms(std::size_t n_observed) : causes_of_(n_observed) {}

  /// `failures`: m values, 1 where there is no edge.
  void add(double prior, std::span<const double> failures);

  [[nodiscard]] std::size_t n_causes() const noexcept { return priors_.size(); }
  [[nodiscard]] double prior(std::size_t u) const noexcept { return priors_[u]; }
  [[nodiscard]] double failure(std::size_t u, std::size_t x) const noexcept {
    return failures_[u][x];
  }
  /// Causes of a variable, in the order in which they were added.
  [[nodiscard]] std::span<const std::uint32_t> causes_of(std::size_t x) const noexcept {
    return causes_of_[x];
  }
  /// Causes of both.
  [[nodiscard]] std::vector<std::uint32_t> causes_of(std::size_t a, std::size_t b) const;
  /// Sum of L_ab over the causes.
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const;
  /// exp of the sum of L_{ab | x off} over the causes, for all x; at x that share none with both it
  /// is exp of the sum of L_ab.
  [[nodiscard]] std::vector<double> factors_given_off(std::size_t a, std::size_t b) const;

 private:
  std::vector<double> priors_;
  std::vector<std::vector<double>> failures_;          // by cause
  std::vector<std::vector<std::uint32_t>> causes_of_;  // by variable
};

}  // namespace orrery::quartet
