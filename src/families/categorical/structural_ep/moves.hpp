// Step 3 of a start (search.hpp): variables move to the parents that they are better off with,
// until none does.
#pragma once

#include <cstddef>

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// Sweeps between two merges or moves, which need no fixed point to be told.
inline constexpr std::size_t short_run = 25;
inline constexpr double short_tolerance = 1e-2;

/// Brings a start near its fixed point, and moves variables from there. Returns the log evidence;
/// counts sweeps. `options`: of each run to a fixed point. Collective.
double improve(Approximation& approximation, const IterateOptions& options, std::size_t& n_sweeps);

}  // namespace orrery::structural_ep
