// The causes as their signs show them: tables of small sets of signs, the moments that are
// recovered from them, and from those the network of the causes, in every view of the rows.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/loadings/cause_expectations.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/structure/structure.hpp"

namespace orrery::anchored {

/// What stands for a cause: its main anchor, or its label (whose rates are 0 and 1).
struct Sign {
  Column column;
  std::vector<std::array<double, 2>> rates;  ///< a view
};
std::vector<Sign> anchor_signs(const Observations& observed, const NoiseRates& noise,
                               const std::vector<std::size_t>& mains);
/// Throws InputError if a row is not labelled.
std::vector<Sign> label_signs(const Observations& observed);

/// P(all members on) of every set of up to `order` signs, in every view, and P(table) from it.
class SignCounts {
 public:
  /// Cost: C(K, order - 1) K counts over all rows, in units shared by ranks. Memory: 33 times as
  /// many numbers. Collective.
  SignCounts(const learning::Workers& workers, const Observations& observed,
             const std::vector<Sign>& signs, std::size_t order);

  [[nodiscard]] std::size_t n_views() const noexcept { return n_views_; }
  [[nodiscard]] std::size_t order() const noexcept { return order_; }
  /// 2^|set| cells; `set` rises.
  [[nodiscard]] std::vector<double> table(std::size_t view,
                                          std::span<const std::uint32_t> set) const;
  /// Of all rows, with the rates.
  [[nodiscard]] AnchorTables tables(const std::vector<Sign>& signs) const;

 private:
  [[nodiscard]] double all_on(std::size_t view, std::span<const std::uint32_t> set) const;

  std::size_t n_views_;
  std::size_t n_signs_;
  std::size_t order_;
  std::vector<double> on_;  // product x view x (sign + 1)
};

/// A view's causes.
struct CauseView {
  std::vector<std::array<double, 2>> rates;  ///< of the signs
  model::SubsetTables
      moments;  ///< of view 0: all; of others: those that tables and estimators need
  std::unique_ptr<CauseExpectations> sums;
};

/// The views after the structure is known. View 0 has `recovered` as its moments; in the others
/// each table is recovered in the simplex, of the families and what they contain.
std::vector<CauseView> view_causes(const SignCounts& counts, const std::vector<Sign>& signs,
                                   const model::SubsetTables& recovered,
                                   const CauseStructure& structure, const Options& options);

}  // namespace orrery::anchored
