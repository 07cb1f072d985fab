// What `learn sep` would take (--dry-run).
#pragma once

#include "families/categorical/structural_ep/options.hpp"
#include "learning/learner.hpp"

namespace orrery::structural_ep {

/// A sweep is timed on some of the file's rows; a start takes some hundred sweeps.
learning::Plan predict(const learning::DataPlanContext& context, const Options& options);

}  // namespace orrery::structural_ep
