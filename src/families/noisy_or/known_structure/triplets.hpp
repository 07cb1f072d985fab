// Which triplets of a known structure are singly coupled.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::known_structure {

using Triplet = std::array<std::uint32_t, 3>;

/// Every triplet of children of `cause` no two of which share another cause that is not yet
/// `learned`, in rising order; at most `limit`. O(children^2 * parents + children^3).
std::vector<Triplet> singly_coupled_triplets(const model::NoisyOrNetwork& structure,
                                             std::size_t cause, const std::vector<bool>& learned,
                                             std::size_t limit);

}  // namespace orrery::known_structure
