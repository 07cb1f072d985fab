// What `learn anchored` would take (--dry-run).
#pragma once

#include "learners/anchored/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::anchored {

/// Counting is timed on the file's first rows, one variable's failures on a tree of as many causes.
/// Polytopes of pairs and structures are not: how long they take is up to the moments, and said by
/// their progress. Those of larger sets are told by what was measured elsewhere (recovery.hpp).
learners::Plan predict(const learners::DataPlanContext& context, const Options& options);

}  // namespace orrery::anchored
