// The memory that refinement will take, for --dry-run. Its time depends on how many moves the data
// make worth trying, which nothing tells beforehand: on real tables it was 40 to 700 times what the
// benchmark networks take.
#pragma once

#include "learners/quartet/options.hpp"
#include "learners/quartet/state.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::quartet {

/// Bytes of a thread's sums, from the causes that the sampled rounds have found.
double refinement_bytes(const learners::PlanContext& context, const State& state);

}  // namespace orrery::quartet
