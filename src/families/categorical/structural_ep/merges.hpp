// Two causes of a start become one.
#pragma once

#include <cstddef>

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// Merges the two causes that depend on each other most; a cause without children goes first.
/// `moments`: of the fixed point that `start` came to, over `n_rows`.
void merge_causes(Start& start, const CauseMoments& moments, std::size_t cardinality,
                  double n_rows);

}  // namespace orrery::structural_ep
