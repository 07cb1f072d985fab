// The failures' prior from the failures themselves.
#pragma once

#include "families/noisy_or/quartet/refine/em.hpp"

namespace orrery::quartet {

/// Beta by moments (empirical Bayes): of the failures as they were without the prior `used`, less
/// what their sampling adds to the variance (an edge seen n times: f (1 - f) / n).
FailurePrior empirical_prior(const model::NoisyOrNetwork& network, const Expectation& expectation,
                             const FailurePrior& used);

}  // namespace orrery::quartet
