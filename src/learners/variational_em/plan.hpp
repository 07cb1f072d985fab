// What a run of the variational learner would take (--dry-run).
#pragma once

#include "learners/variational_em/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::variational_em {

/// Adds the time to context.timing; the plan's memory is that of a pass, without program and bits.
learners::Plan predict(const learners::PlanContext& context, const Options& options);

}  // namespace orrery::variational_em
