// The learned and the true loading matrix as maps of the same rows and columns.
#pragma once

#include "families/linear/page/view.hpp"
#include "report/signed_map.hpp"

namespace orrery::linear {

/// Rows are variables, grouped by their strongest learned cause, strong ones first; columns are the
/// causes, in causal order, then true ones that were not learned. Values are in standard deviations
/// of the variable (in_deviations).
struct LoadingMaps {
  report::SignedMap learned;
  report::SignedMap truth;  ///< no columns without a truth
};
LoadingMaps loading_maps(const LinearView& view);

}  // namespace orrery::linear
