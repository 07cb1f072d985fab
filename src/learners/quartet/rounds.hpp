// The calibrated way: search, refine, search in what is left, until nothing more is found.
#pragma once

#include "learners/quartet/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::quartet {

/// Same at every rank. Collective.
model::LearnedModel learn_refined(const learners::LearnContext& context, const Options& options);

}  // namespace orrery::quartet
