// The parameters of a noisy-OR network whose edges are known, with the results of `orrery params`
// (Halpern & Sontag 2013; Jernite, Halpern, Sontag 2013, Sec. 2.2 "Parameter learning with known
// structure").
#pragma once

#include "orrery/data/sample_matrix.hpp"
#include "orrery/learning/run_options.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::learn {

/// Learns priors, failures and leaks. Only the edges of `structure` are used, its probabilities are
/// not. Causes that never have a singly coupled triplet are left out, with a warning that names
/// them.
/// @throws InputError as `quartet` does, and unless the variables of `structure` are the columns,
///     in their order; or if its causes depend on one another.
model::LearnedModel parameters(const data::SampleMatrix& samples,
                               const model::NoisyOrNetwork& structure,
                               const RunOptions& run_options = {});

}  // namespace orrery::learn
