// What a run of the variational learner would take (--dry-run).
#pragma once

#include "families/noisy_or/variational_em/options.hpp"
#include "learning/learner.hpp"

namespace orrery::variational_em {

/// Adds the time to context.timing; the plan's memory is that of a pass, without program and bits.
learning::Plan predict(const learning::PlanContext& context, const Options& options);

}  // namespace orrery::variational_em
