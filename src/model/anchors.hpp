// What is asked of the anchors of a network.
#pragma once

#include <cstddef>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// Sorts by (cause, observed). Throws InputError naming the entry: an index out of range, a
/// variable that is an anchor twice, a column in two unions.
void settle_anchors(std::vector<Anchor>& anchors, std::size_t n_causes, std::size_t n_observed);

}  // namespace orrery::model
