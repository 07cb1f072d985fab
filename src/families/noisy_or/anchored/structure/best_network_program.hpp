// The best network of more causes than sets can be listed of, as an integer program (Jaakkola,
// Sontag, Globerson, Meila 2010; Cussens, Bartlett 2013, which the paper uses): a 0-1 variable a
// family, one family per cause, and in every cluster of causes one at least without parents in it.
//
// Branch and bound: at a node the linear program (network_relaxation.hpp) is solved, violated
// clusters are added until there is none (cluster_cuts.hpp), then the node is split at an arc:
// there, or not there. Of arcs with a weight near 1/2 it is that of which both halves, tried by a
// few pivots, bring the bound down most (strong branching; Achterberg, Koch, Martin 2005). One half
// is worked on next, from where its parent ended; then the open node with the greatest bound, from
// where its own parent ended. Networks to compare with come from a search over orders
// (search_orders), from the order in which the fractional network nearly lies. In the first
// node, whenever the gap has halved, families that no better network can have, by their reduced
// costs, leave the program.
//
// Cost: NP-hard; seconds to tens of seconds for 50 causes with 2 parents or 30 with 3, of 100,000
// rows. The search works on one thread of one rank: it gains nothing from more. It ends after a
// number of nodes and of pivots, not of seconds: where it ends does not depend on the host.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

struct ProgramLimits {
  std::uint64_t nodes = 5'000;
  std::uint64_t pivots = 2'000'000;
};

/// The best network; or, when a limit ends the search, the best found, and what none can exceed.
BestNetwork best_network_program(const FamilyLists& families, const ProgramLimits& limits = {});

}  // namespace orrery::anchored
