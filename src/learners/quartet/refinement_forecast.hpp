// What the refinement will take, for --dry-run.
#pragma once

#include "learners/quartet/options.hpp"
#include "learners/quartet/state.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::quartet {

/// Adds the stage, from the causes that the sampled rounds have found. Bytes of a thread's sums.
double forecast_refinement(const learners::PlanContext& context, const State& state);

}  // namespace orrery::quartet
