// P(A | Y) of anchors from labelled rows: shares of those that have the cause and of those that
// lack it. At 1,000 ranks: anchors are few, most ranks wait.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"
#include "learning/unit_values.hpp"

namespace orrery::anchored {

/// What one way of estimating tells of an anchor.
struct RateEstimate {
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) by view of the rows.
  std::vector<std::array<double, 2>> views;
  std::array<double, 2> errors{};
  double disagreement = 0;  ///< of third views, and the column that disagrees most
  double odd_view = 0;

  /// As numbers of a unit.
  static std::size_t size(std::size_t n_views) { return 2 * n_views + 4; }
  void pack(std::span<double> values) const;
  static RateEstimate unpack(std::span<const double> values, std::size_t n_views);
};

/// Of each anchor; nothing if there are no labels, or no labelled row has the cause, or none lacks
/// it. Throws InputError if labels speak against the rates that the table of anchors gives. Cost:
/// four counts over all rows an anchor. Collective.
std::vector<std::optional<RateEstimate>> label_rates(const learning::Workers& workers,
                                                     const Observations& observed);

}  // namespace orrery::anchored
