// Splits: where one learned cause stands for two, its children depend more than it says within the
// two parts, less across: the leading eigenvector of the residual z-scores tells them apart.
// Children of both depend on the others as it says: their component is near 0, and both parts get
// them. Under noise alone the leading eigenvalue of k children is near 2 sqrt(k) (Wigner's
// semicircle).
#pragma once

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// Tries the clearest splits, until one is taken. Collective.
void split_causes(Refinement& refinement);

}  // namespace orrery::quartet
