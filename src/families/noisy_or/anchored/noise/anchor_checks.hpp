// What the data say of the anchors before anything is learned from them: that they vary and go with
// anything at all, and that their noise fits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

namespace orrery::anchored {

/// Throws InputError naming an anchor that is constant, or that goes with no other column (no
/// covariance is significant, Bonferroni): nothing can be learned through it. Cost: a count of
/// every anchor and column. Collective.
void require_telling_anchors(const learning::Workers& workers, const Observations& observed);

/// Sentences. P(y, x) of a cause and a column, with the anchor's noise undone, has no negative
/// cells if the anchor depends on its cause alone (Definition 1) and its rates are right; an anchor
/// for which one is negative beyond its error is named, with the worst column. Throws InputError
/// naming an anchor that is on less often than `off` or more often than `on`. Collective.
std::vector<std::string> find_contradictions(const learning::Workers& workers,
                                             const Observations& observed, const NoiseRates& noise);

}  // namespace orrery::anchored
