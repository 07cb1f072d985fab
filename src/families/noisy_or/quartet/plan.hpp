// What a run of the quartet learner would take (--dry-run).
#pragma once

#include "families/noisy_or/quartet/options.hpp"
#include "learning/learner.hpp"

namespace orrery::quartet {

/// Adds the rounds' time to context.timing; the plan's memory is that of the learner's largest
/// round, without program and bits.
learning::Plan predict(const learning::PlanContext& context, const Options& options);

/// Bytes of accepted quartets at rank 0 at their peak, while threads find them or ranks merge them.
double candidate_bytes(double n_accepted, const learning::Resources& resources,
                       const Options& options);

}  // namespace orrery::quartet
