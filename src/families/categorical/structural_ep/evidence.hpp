// What structures are worth: the evidence (Eqs. 10-12), what each row adds to it and the sum over
// all rows; and bounds by which a variable's parents are reconsidered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// The approximate log marginal likelihood, of the messages as they are. Collective.
[[nodiscard]] double log_evidence(Approximation& approximation);

/// Escapes from local optima: a variable's parents are reconsidered from the beginning, since
/// theta_i learned under the wrong parents keeps every other set from being worth anything.
class StructureBounds {
 public:
  /// `approximation`, whose structure must be held, must outlive it.
  explicit StructureBounds(Approximation& approximation);

  /// Reconsiders each variable's parents alone: for every set, the variational bound of
  ///   log integral prod_n sum_j q\i(u_k^n = j) theta_{x,j} p(theta) dtheta,
  /// what X_i's values are worth if that set is its parents and all else stays; by `passes`
  /// expectation steps from theta's prior. D x sets. Cost of a pass: N D S. Collective.
  [[nodiscard]] std::vector<double> of_sets(std::size_t passes);
  /// Holds these sets as the parents of these variables, whose messages begin anew as the bounds of
  /// the last call have it. Collective.
  void move(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& variable_and_set);

 private:
  double share_value(std::span<const double> states, std::size_t i, std::size_t k, std::size_t x,
                     std::span<double> shares) const;
  void find_beliefs();
  void expect(std::span<const double> counts, std::span<double> scores);

  Approximation& approximation_;
  const Shape& shape_;
  data::AlignedVector<double> beliefs_;  // groups x S x 8
  std::vector<double> expectations_;     // exp E[log theta]: D x states x L
  std::vector<std::size_t> first_;       // D + 1: where a variable's expectations begin
};

}  // namespace orrery::structural_ep
