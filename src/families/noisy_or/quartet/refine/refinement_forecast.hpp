// The memory that refinement will take, for --dry-run. Its time depends on how many moves the data
// make worth trying, which nothing tells beforehand: a forecast that was right within a factor of
// two on the benchmark networks was wrong by 40 times and more on real tables.
#pragma once

#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"

namespace orrery::quartet {

/// Bytes of a thread's sums, from the causes that the sampled rounds have found.
double refinement_bytes(const learning::PlanContext& context, const State& state);

}  // namespace orrery::quartet
