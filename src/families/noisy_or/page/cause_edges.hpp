// Edges of a network of binary causes with what readers ask of them first: do the two go together,
// or does one keep the other away (green and red in Halpern, Horng, Sontag 2015, Fig. 3).
#pragma once

#include <cstdint>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::noisy_or {

struct CauseEdge {
  std::uint32_t parent = 0;
  std::uint32_t child = 0;
  /// Correlation of the two under the whole network; NaN: one of them does not vary. Where no
  /// elimination is feasible: what the parent adds to P(child = 1), the other parents' values all
  /// alike likely.
  double correlation = 0;
};

struct CauseEdges {
  std::vector<CauseEdge> edges;  ///< by (parent, child)
  bool exact = true;             ///< correlations, not effects
};

/// O(edges n 2^width).
CauseEdges cause_edges(const model::CauseNetwork& network);

}  // namespace orrery::noisy_or
