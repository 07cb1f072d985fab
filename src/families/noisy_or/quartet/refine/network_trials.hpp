// A trial of another network: EM with and without a move, and the better score stays.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

/// `network` instead of the fit at hand, if it is better once EM and its edges have settled; true
/// if it was taken. `move` and `causes` (of the present network) say what was done. Collective.
bool try_network(Refinement& refinement, const char* move,
                 std::initializer_list<std::size_t> causes, model::NoisyOrNetwork network);

}  // namespace orrery::quartet
