// Parameters of a noisy-OR network whose edges are known (Halpern & Sontag 2013; Jernite, Halpern,
// Sontag 2013, Sec. 2.2 "Parameter learning with known structure").
#pragma once

#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::known_structure {

/// Learns priors, failures and leaks; only the edges of `structure` are used, its probabilities are
/// not. Observed variables are in the order of context.names already. Causes that never have a
/// singly-coupled triplet are left out, with a warning that names them. Collective.
model::LearnedModel learn_parameters(const learning::LearnContext& context,
                                     const model::NoisyOrNetwork& structure);

}  // namespace orrery::known_structure
