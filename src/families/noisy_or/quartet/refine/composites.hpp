// Causes that stand for two others at once: where two causes come together more often than chance,
// independent causes explain the rows of both by a third one.
//
// Cost: O(n^3 m) for n causes of m variables.
#pragma once

#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// True if a cause switches on what two others do together, about as surely, and neither of them
/// alone does.
[[nodiscard]] bool has_composite(const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
