// In which order variables (causes, and what rows say of them) are summed out, and what each sum
// couples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::model {

/// The variables that a table is of, each once.
using Scope = std::vector<std::uint32_t>;

struct EliminationOrder {
  /// The variable that goes, and those that its sum couples, which go later, in the order in which
  /// they go. One a variable, in the order of elimination; fewer if `width` is more than was asked
  /// for.
  std::vector<Scope> cliques;
  std::size_t width = 0;  ///< members of the largest clique
};

/// Of tables of `scopes` (none empty; variables below n): each step sums out the variable that adds
/// the fewest edges (min-fill), the lowest number among equals. Ends at the first clique of more
/// than `max_width` members: no table of it could be held.
EliminationOrder min_fill_order(std::size_t n, std::span<const Scope> scopes,
                                std::size_t max_width);
/// Of the families of a network: each cause and its parents.
EliminationOrder min_fill_order(const CauseNetwork& network, std::size_t max_width);

}  // namespace orrery::model
