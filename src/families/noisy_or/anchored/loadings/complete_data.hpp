// Learning from rows whose causes are all known, or are made out to be (Halpern, Horng, Sontag
// 2015, Sec. 5.5): the oracle of maximum likelihood, which has every label, and imputation, whose
// labels are drawn from classifiers of the anchors.
#pragma once

#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/moments/cause_moments.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

namespace orrery::anchored {

/// A draw of every (row, cause) from noise-tolerant classifiers of the main anchors. Collective.
Labels impute_labels(const learning::Workers& workers, const Observations& observed,
                     const NoiseRates& noise, const std::vector<std::size_t>& mains,
                     std::uint64_t seed);

/// Failures and leaks of the highest likelihood given the labels of all rows: of every cause and
/// variable first, then of the edges that are significant (significant_edges). `views`: of the
/// causes as labelled. Cost: see fit_known_causes, twice. Collective.
AllLoadings fit_labelled(const learning::Workers& workers, const Observations& observed,
                         const std::vector<CauseView>& views, double alpha);

}  // namespace orrery::anchored
