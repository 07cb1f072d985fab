// What a run would take (--dry-run).
#pragma once

#include "families/sign_tree/hidden_tree/options.hpp"
#include "learning/learner.hpp"

namespace orrery::hidden_tree {

/// Adds to context.timing. Throws as a run would.
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::hidden_tree
