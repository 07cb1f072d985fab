// Seeds of causes with three children from what three variables depend on each other.
#pragma once

#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "learning/learner.hpp"
#include "moments/subtraction.hpp"

namespace orrery::quartet {

/// Three variables that depend on each other beyond `learned`, though no fourth does: the seeds of
/// causes with three children, which no quartet can find (z of the triple's log cumulant above 4).
/// The most significant first, each with the variables that agree with it. Collective.
std::vector<Elected> residual_triples(const learning::LearnContext& context,
                                      const moments::Subtraction& learned, double alpha);

}  // namespace orrery::quartet
