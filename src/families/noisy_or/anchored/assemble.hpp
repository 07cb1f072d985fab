// The model, from its parts.
#pragma once

#include <vector>

#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

/// Anchors get their rates as leak and failure; everything else what was found for it. Errors are
/// 0 where moments are exact.
model::LearnedModel assemble(const Observations& observed, const NoiseRates& noise,
                             const std::vector<CauseView>& views, const AllLoadings& loadings);

}  // namespace orrery::anchored
