/// The fields of what stands beside a noisy-OR network whose causes have anchors: the anchors with
/// their rates, and the causes' moments.
///
/// Cost: O(anchors + cells of the moments) time and memory.
#pragma once

#include <cstddef>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "store/archive.hpp"

namespace orrery::noisy_or {

/// The network's anchors; their rates are read into `learned`, in a network's order. `needed`: a
/// file without anchors is refused.
/// @throws as `Archive` does
std::vector<model::Anchor> anchors(store::Archive& archive, bool needed,
                                   model::LearnedModel& learned);

/// The causes' moments, as recovered: JSON names each set before its table.
/// @throws as `Archive` does
void cause_moments(store::Archive& archive, std::size_t n_causes, model::SubsetTables& moments);

}  // namespace orrery::noisy_or
