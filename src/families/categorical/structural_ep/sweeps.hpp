// Sweeps of expectation propagation over all rows: from a start to a fixed point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// Where to start from: a parent set per variable, and a state of each cause for each of this
/// rank's rows.
struct Start {
  std::vector<std::uint32_t> sets;                ///< D
  std::vector<std::vector<std::uint8_t>> states;  ///< K x rows of this rank
};

struct IterateOptions {
  Projection projection = Projection::mean_log;
  double damping = .5;
  std::size_t held_sweeps = 3;  ///< with q(G) as the start has it
  std::size_t max_sweeps = 200;
  /// Largest change of a q(G_i = k), or of an E[theta] where q(G) is always held, three times in a
  /// row.
  double tolerance = 1e-4;
  /// Asked after each sweep, if set: false ends the run (the time is over). Collective.
  std::function<bool()> go_on;
};

/// Forgets all, and sends messages as if `start` were likely: q(G) gives 0.9 to its sets.
/// Collective.
void begin_from(const Start& start, Approximation& approximation);
/// Sweeps until q(G) rests; returns their number. Collective.
std::size_t iterate(Approximation& approximation, const IterateOptions& options);

}  // namespace orrery::structural_ep
