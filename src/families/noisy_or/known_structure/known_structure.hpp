// Parameters of a noisy-OR network whose edges are known (Halpern & Sontag 2013; Jernite, Halpern,
// Sontag 2013, Sec. 2.2 "Parameter learning with known structure").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::known_structure {

using Triplet = std::array<std::uint32_t, 3>;

/// Every triplet of children of `cause` no two of which share another cause that is not yet
/// `learned`, in rising order; at most `limit`. O(children^2 * parents + children^3).
std::vector<Triplet> singly_coupled_triplets(const model::NoisyOrNetwork& structure,
                                             std::size_t cause, const std::vector<bool>& learned,
                                             std::size_t limit);

/// Learns priors, failures and leaks; only the edges of `structure` are used, its probabilities are
/// not. Observed variables are in the order of context.names already. Causes that never have a
/// singly-coupled triplet are left out, with a warning that names them. Collective.
model::LearnedModel learn_parameters(const learning::LearnContext& context,
                                     const model::NoisyOrNetwork& structure);

}  // namespace orrery::known_structure
