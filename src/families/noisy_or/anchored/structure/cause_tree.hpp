// The tree of the causes: Chow, Liu 1968 on recovered tables of pairs (Halpern, Horng, Sontag 2015,
// Sec. 4.1, Table 1). The maximum spanning tree of the mutual information; all n - 1 edges, also
// those on which there is no information.
//
// Ties: of two edges with the same information, that between lower numbers (the smaller end first).
// Directions: away from cause 0. Cost: O(n^2), Prim.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

/// Moments of order 2 at least.
ParentLists cause_tree(const model::SubsetTables& moments);

/// Edges of a forest of which the two causes could as well be independent; parent and child, by
/// child.
std::vector<std::pair<std::uint32_t, std::uint32_t>> insignificant_edges(
    const model::SubsetTables& moments, const ParentLists& parents, const SamplingNoise& noise,
    double alpha);

}  // namespace orrery::anchored
