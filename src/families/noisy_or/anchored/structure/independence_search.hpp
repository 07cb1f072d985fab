// The graph of the causes by tests of independence, each cause with at most K neighbours (Halpern,
// Horng, Sontag 2015, Sec. 4.1; Pearl, Verma 1991; Spirtes, Glymour, Scheines 2001: PC).
//
// 1. Skeleton. Level by level, l = 0 ... K: an edge goes if its causes are independent given some l
//    neighbours of one of them, the neighbours being those before the level (Colombo, Maathuis
//    2014): the order of the causes does not matter. Of the sets that separate them, that with the
//    weakest dependence is kept (Ramsey 2016), ties by order of the tests.
// 2. Where a cause has more than K neighbours its weakest edges go: edges are taken strongest
//    first, each if both of its causes still have room.
// 3. v-structures a -> c <- b where a and b are apart and c is not in the set that separates them;
//    those of the strongest edges first, one that would turn an arrow is left out. Then Meek's
//    rules, then a network with these arrows (partial_graph.hpp).
//
// An edge's strength is the weakest of its tests: the statistic over its critical value.
// Cost: n^2 C(n, l) tests at a level at worst; with few neighbours n^2 after the first levels.
// Pairs are units: at 1,000 ranks the later levels have fewer pairs left than there are ranks.
#pragma once

#include <string>

#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "learning/stages.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

struct IndependenceSearch {
  ParentLists parents;
  std::size_t n_edges_over = 0;  ///< left out by step 2
  std::size_t n_conflicts = 0;   ///< v-structures left out
  bool is_consistent = true;     ///< the network has these arrows and no other v-structures
};

/// Moments of order max_degree + 2 at least (less where there are fewer causes). Collective.
IndependenceSearch search_by_independence(const learning::Workers& workers,
                                          const model::SubsetTables& moments,
                                          std::size_t max_degree, const SamplingNoise& noise,
                                          double alpha);

}  // namespace orrery::anchored
