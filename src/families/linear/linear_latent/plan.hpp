// What a run would take.
#pragma once

#include "families/linear/linear_latent/options.hpp"
#include "learning/learner.hpp"

namespace orrery::linear_latent {

/// Throws as a run would for a file that cannot be used, as far as its header shows it.
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::linear_latent
