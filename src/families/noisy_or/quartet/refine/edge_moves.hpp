// Moves of single edges: a likelihood ratio each, or a score test; one pass for all.
#pragma once

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// Drops and adds edges of `fit` in at most so many rounds, with EM after each; and causes that
/// have lost their children. `fit` is whole at every moment. Collective.
void tidy_edges(const Refinement& refinement, Fit& fit, int rounds);

}  // namespace orrery::quartet
