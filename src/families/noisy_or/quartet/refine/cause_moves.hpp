// Moves of whole causes that the network has, each a trial.
#pragma once

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// Drops each cause that the others can replace. Collective, as all that follows.
void drop_causes(Refinement& refinement);
/// Merges two causes that come together more often than chance has it.
void merge_causes(Refinement& refinement);
/// Gives one cause the children of another one that comes with it.
void share_children(Refinement& refinement);

}  // namespace orrery::quartet
