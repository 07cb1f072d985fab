// The best network of up to some 25 causes, exactly, by dynamic programming over sets of causes
// (Silander, Myllymaki 2006; Koivisto, Sood 2004).
//
//   best(S) = max over i in S of best(S \ i) + best family of i with all parents in S \ i
//
// Cost: n 2^(n-1) steps, each the scan of a list, best first, up to the first family that fits; on
// one thread. Memory: 2^n doubles, 268 MB for 25 causes; which cause came last is worked out again
// on the way back. It does not spread over ranks: more causes go to best_network_program.hpp.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

constexpr std::size_t most_causes_of_sets = 28;

/// Of networks with the same score, one found in a fixed order. Throws InputError beyond
/// most_causes_of_sets.
BestNetwork best_network(const FamilyLists& families);

}  // namespace orrery::anchored
