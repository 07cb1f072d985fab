// What a run would take.
#pragma once

#include "learners/linear_latent/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::linear_latent {

/// Throws as a run would for a file that cannot be used, as far as its header shows it.
[[nodiscard]] learners::Plan predict(const learners::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::linear_latent
