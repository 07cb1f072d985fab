// In which order the causes of a network are summed out, and what each sum couples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::model {

struct EliminationOrder {
  /// The cause that goes, and those that its sum couples, which go later, in the order in which
  /// they go. One a cause, in the order of elimination; fewer if `width` is more than was asked
  /// for.
  std::vector<std::vector<std::uint32_t>> cliques;
  std::size_t width = 0;  ///< members of the largest clique
};

/// Each step sums out the cause that adds the fewest edges (min-fill), the lowest number among
/// equals. Ends at the first clique of more than `max_width` members: no table of it could be held.
EliminationOrder min_fill_order(const CauseNetwork& network, std::size_t max_width);

}  // namespace orrery::model
