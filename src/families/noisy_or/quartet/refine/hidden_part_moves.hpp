// Moves that uncover what hides behind a cause, or behind the leaks, in the rows attributed to it
// (signatures/cause_parts.hpp).
#pragma once

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// Tries what hides behind each cause and behind the leaks in the rows attributed to them; true if
/// one was taken. Collective.
bool uncover_parts(Refinement& refinement, int depth);

}  // namespace orrery::quartet
