// The causes as their signs show them: tables of small sets of signs, the moments that are
// recovered from them, and from those the network of the causes with the expectations under it, in
// every view of the rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/structure/structure.hpp"
#include "model/cause_elimination.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::anchored {

// Expectations over the states of the causes, each cause weighted: what loadings and leaks are
// computed from. In a forest by one pass up and one down (belief propagation), O(n); otherwise by
// variable elimination; and where that is out of reach, over states drawn from the network (forward
// sampling; Halpern, Horng, Sontag 2015, Sec. 4.3).

class CauseExpectations {
 public:
  enum class Way : std::uint8_t { forest, elimination, draws };

  /// Memory of draws: n bytes each.
  CauseExpectations(model::CauseNetwork network, std::uint64_t draws, std::uint64_t seed);
  CauseExpectations(const CauseExpectations&) = delete;
  CauseExpectations& operator=(const CauseExpectations&) = delete;
  ~CauseExpectations() = default;

  [[nodiscard]] Way way() const noexcept { return way_; }
  [[nodiscard]] const model::CauseNetwork& network() const noexcept { return network_; }
  /// P(Y_i = 1).
  [[nodiscard]] const std::vector<double>& on() const noexcept { return on_; }
  /// E[prod_i weights[i][y_i]], and with `on` not empty, P(Y_i = 1) in the distribution that the
  /// weights tilt: E[y_i prod ...] / E[prod ...]. If the sum is 0, `on` is all 0.
  double sum(std::span<const model::CauseWeight> weights, std::span<double> on) const;

 private:
  double sum_forest(std::span<const model::CauseWeight> weights, std::span<double> on) const;
  double sum_draws(std::span<const model::CauseWeight> weights, std::span<double> on) const;

  model::CauseNetwork network_;
  Way way_;
  std::unique_ptr<model::CauseElimination> elimination_;
  std::vector<std::uint8_t> states_;  // draws x n
  std::vector<double> on_;
};

// Signs, and the views of the rows.

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
