// Causes that a search offers to the network, each a trial.
#pragma once

#include <vector>

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// Takes the cause if the network is better with it; true if it was taken. Collective.
bool try_cause(Refinement& refinement, const Elected& elected, int depth);
/// Tries each; true if one was taken. Collective.
bool try_causes(Refinement& refinement, const std::vector<Elected>& elected, int depth);

}  // namespace orrery::quartet
