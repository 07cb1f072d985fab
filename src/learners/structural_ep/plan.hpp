// What `learn sep` would take (--dry-run).
#pragma once

#include "learners/structural_ep/options.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::structural_ep {

/// A sweep is timed on some of the file's rows; a start takes some hundred sweeps.
learners::Plan predict(const learners::DataPlanContext& context, const Options& options);

}  // namespace orrery::structural_ep
