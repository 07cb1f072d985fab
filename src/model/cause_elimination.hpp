// Exact sums over the states of a network of causes, by variable elimination in a min-fill order.
// A forest takes time O(n); otherwise O(n 2^width). Memory: two numbers per cell of the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::model {

/// Weight of a cause's two values; {1, 1}: none; {0, 1}: it is on.
using CauseWeight = std::array<double, 2>;

class CliqueTree;

class CauseElimination {
 public:
  static constexpr std::size_t max_width = 20;
  static constexpr std::size_t max_cells = std::size_t{1} << 22U;  ///< of all tables; 32 MiB

  /// Finds an order and makes the tables. Cost: O(n log n) for a forest; otherwise that and
  /// O(max_width^2 log n) an edge that the order adds.
  explicit CauseElimination(const CauseNetwork& network);

  /// Variables of the largest table that a sum makes; more than max_width: at least these.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  /// No table of more than max_width variables, and no more than max_cells in all. Otherwise the
  /// sums below throw InputError that says what to use instead.
  [[nodiscard]] bool is_feasible() const noexcept { return tree_ != nullptr; }

  /// E[prod_i weights[i][y_i]]; `weights`: n, none negative.
  [[nodiscard]] double expectation(std::span<const CauseWeight> weights) const;
  /// The same with the values of `set` (rising, at most max_width) held: 2^|set| cells as in
  /// SubsetTables. Cost: 2^|set| sums.
  [[nodiscard]] std::vector<double> table(std::span<const std::uint32_t> set,
                                          std::span<const CauseWeight> weights) const;
  /// E[y_i prod ...] / E[prod ...] of every cause, by one pass up and one down. Throws InputError
  /// if the expectation is 0.
  [[nodiscard]] std::vector<double> posteriors(std::span<const CauseWeight> weights) const;

 private:
  [[nodiscard]] const CliqueTree& tree() const;

  std::size_t n_causes_ = 0;
  std::size_t width_ = 0;
  std::shared_ptr<const CliqueTree> tree_;  // null: not feasible
};

}  // namespace orrery::model
