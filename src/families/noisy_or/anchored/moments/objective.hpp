// What moment recovery minimises (Halpern, Horng, Sontag 2015, Eqs. (4), (23)):
//
//   f(mu) = sum_Z KL(observed_Z, R_Z mu_Z) + lambda KL(independent_Z, mu_Z),   1 <= |Z| <= K.
//
// independent_Z is the product of its members' own recovered probabilities. Cells that were not
// observed add nothing. Cost of f or its gradient: |Z| 2^|Z| a set; memory as the tables.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace orrery::anchored {

// R_Z = P(A_1|Y_1) x ... x P(A_k|Y_k) (Halpern, Horng, Sontag 2015, Eq. (1)): a Kronecker product,
// applied axis by axis to a table of 2^k cells (bit i: member i). Cost k 2^k.

/// P(A = 1 | Y = 0), P(A = 1 | Y = 1).
using Rates = std::array<double, 2>;

/// R mu: what the anchors show where the causes have these moments.
void apply_noise(std::span<double> table, std::span<const Rates> rates);
/// R^T g: a gradient with respect to R mu as one with respect to mu.
void apply_transposed_noise(std::span<double> table, std::span<const Rates> rates);
/// R^-1 observed; its cells may be negative. The two rates of each differ.
void remove_noise(std::span<double> table, std::span<const Rates> rates);

class Objective {
 public:
  /// `anchors` must outlive it. Throws InputError unless 0 <= off, on <= 1, off != on, there are as
  /// many rates as variables, each observed table is one of probabilities, and lambda >= 0.
  Objective(const AnchorTables& anchors, double regularise);

  [[nodiscard]] const AnchorTables& anchors() const { return anchors_; }
  [[nodiscard]] double regularise() const { return regularise_; }
  /// The product of single recovered probabilities: the start of what needs one.
  [[nodiscard]] const model::SubsetTables& independent() const { return independent_; }
  [[nodiscard]] std::vector<std::array<double, 2>> rates_of(
      std::span<const std::uint32_t> set) const;

  /// Nats; infinite where a cell that was observed has no mass.
  [[nodiscard]] double value(const model::SubsetTables& moments) const;
  /// df/dmu, cell by cell; where value() is finite.
  [[nodiscard]] model::SubsetTables gradient(const model::SubsetTables& moments) const;

 private:
  const AnchorTables& anchors_;
  double regularise_;
  model::SubsetTables independent_;
};

/// argmin KL within [0, 1] of one cause alone: in closed form.
double recover_single(double observed_on, const std::array<double, 2>& rates);

/// The tables of independent variables with these P(Y = 1).
model::SubsetTables independent_tables(std::span<const double> on, std::size_t order);

}  // namespace orrery::anchored
