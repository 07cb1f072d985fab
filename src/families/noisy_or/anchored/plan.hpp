// What `learn anchored` would take (--dry-run).
#pragma once

#include "families/noisy_or/anchored/options.hpp"
#include "learning/learner.hpp"

namespace orrery::anchored {

/// Counting is timed on the file's first rows, one variable's failures on a tree of as many causes.
/// Polytopes of pairs and structures are not: how long they take is up to the moments, and said by
/// their progress. Those of larger sets are told by what was measured elsewhere (recovery.hpp).
learning::Plan predict(const learning::DataPlanContext& context, const Options& options);

}  // namespace orrery::anchored
