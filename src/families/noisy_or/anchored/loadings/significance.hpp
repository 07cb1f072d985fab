// Which edges are kept: f < 1 is significant, at a false discovery rate over all variables and
// causes (Benjamini, Hochberg 1995).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"

namespace orrery::anchored {

/// `values`: f and error of every variable and cause, m x n x 2. Of each variable, the causes that
/// are kept, rising. Anchors have none. Exact moments: f < 1 beyond rounding.
std::vector<std::vector<std::uint32_t>> significant_edges(std::span<const double> values,
                                                          std::size_t n_observed,
                                                          std::size_t n_causes,
                                                          const Observations& observed,
                                                          double alpha);

}  // namespace orrery::anchored
