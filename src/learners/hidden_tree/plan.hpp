// What a run would take (--dry-run).
#pragma once

#include "learners/hidden_tree/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::hidden_tree {

/// Adds to context.timing. Throws as a run would.
[[nodiscard]] learners::Plan predict(const learners::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::hidden_tree
