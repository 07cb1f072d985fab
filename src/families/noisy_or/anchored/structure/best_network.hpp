// Networks of the causes by their scores, three ways:
// - best_network: the best of up to some 25 causes, exactly, by dynamic programming over sets of
//   causes (Silander, Myllymaki 2006; Koivisto, Sood 2004);
// - search_orders: good ones of more causes, by a search over orders (Teyssier, Koller 2005);
// - cause_tree: the best tree (Chow, Liu 1968).
// More causes, exactly: best_network_program.hpp.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

// Dynamic programming over sets of causes:
//
//   best(S) = max over i in S of best(S \ i) + best family of i with all parents in S \ i
//
// Cost: n 2^(n-1) steps, each the scan of a list, best first, up to the first family that fits; on
// one thread. Memory: 2^n doubles, 268 MB for 25 causes; which cause came last is worked out again
// on the way back. It does not spread over ranks.

constexpr std::size_t most_causes_of_sets = 28;

/// Of networks with the same score, one found in a fixed order. Throws InputError beyond
/// most_causes_of_sets.
BestNetwork best_network(const FamilyLists& families);

// Good networks, quickly: a search over the orders of the causes (Teyssier, Koller 2005). Given an
// order, each cause's best family among those before it makes the best network; the search moves a
// cause to another place while that gains, then starts again from the best order with some causes
// moved at random (iterated local search; the paper has swaps of neighbours and a tabu list).
//
// Cost: a sweep makes n^2 swaps of neighbours, each two scans of a list.

struct OrderSearch {
  Choice choice;
  double score = 0;
};

/// The best network of an order; `order` holds each cause once.
OrderSearch best_of_order(const FamilyLists& families, std::span<const std::uint32_t> order);

/// No worse than best_of_order. Random draws are keyed by the number of the kick.
OrderSearch search_orders(const FamilyLists& families, std::vector<std::uint32_t> order,
                          std::size_t kicks);

// The tree of the causes: Chow, Liu 1968 on recovered tables of pairs (Halpern, Horng, Sontag 2015,
// Sec. 4.1, Table 1). The maximum spanning tree of the mutual information; all n - 1 edges, also
// those on which there is no information.
//
// Ties: of two edges with the same information, that between lower numbers (the smaller end first).
// Directions: away from cause 0. Cost: O(n^2), Prim.

/// Moments of order 2 at least.
ParentLists cause_tree(const model::SubsetTables& moments);

/// Edges of a forest of which the two causes could as well be independent; parent and child, by
/// child.
std::vector<std::pair<std::uint32_t, std::uint32_t>> insignificant_edges(
    const model::SubsetTables& moments, const ParentLists& parents, const SamplingNoise& noise,
    double alpha);

}  // namespace orrery::anchored
