// From a State to the network that a refinement begins with, and back to what the next round is to
// subtract.
#pragma once

#include "families/noisy_or/quartet/refine/refinement.hpp"
#include "families/noisy_or/quartet/state.hpp"

namespace orrery::quartet {

/// The causes of `state`, or if there are none the known parts of the context, as the rules have
/// them. Names the causes.
[[nodiscard]] model::NoisyOrNetwork first_network(Refinement& refinement, const State& state);
/// The network with its standard errors. Collective.
void write_into(State& state, const Refinement& refinement);

}  // namespace orrery::quartet
