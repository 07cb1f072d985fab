// Good networks, quickly: a search over the orders of the causes (Teyssier, Koller 2005). Given an
// order, each cause's best family among those before it makes the best network; the search moves a
// cause to another place while that gains, then starts again from the best order with some causes
// moved at random (iterated local search; the paper has swaps of neighbours and a tabu list).
//
// Cost: a sweep makes n^2 swaps of neighbours, each two scans of a list.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

struct OrderSearch {
  Choice choice;
  double score = 0;
};

/// The best network of an order; `order` holds each cause once.
OrderSearch best_of_order(const FamilyLists& families, std::span<const std::uint32_t> order);

/// No worse than best_of_order. Random draws are keyed by the number of the kick.
OrderSearch search_orders(const FamilyLists& families, std::vector<std::uint32_t> order,
                          std::size_t kicks);

}  // namespace orrery::anchored
