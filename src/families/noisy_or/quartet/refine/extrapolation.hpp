// Squared extrapolation of EM (Varadhan and Roland 2008, "Simple and globally convergent methods
// for accelerating the convergence of any EM algorithm", section 3, scheme S3): two steps of EM
// tell where many more would lead if they went on alike. Whoever calls this must look at the
// log-likelihood there: it may be less.
//
// Cost: O(causes + variables + edges).
#pragma once

#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Log odds of all parameters: priors, leaks, failures.
std::vector<double> log_odds_of(const model::NoisyOrNetwork& network);

/// The network with other parameters.
model::NoisyOrNetwork with_log_odds(const model::NoisyOrNetwork& network,
                                    const std::vector<double>& log_odds);

/// Where two steps of EM, from a to b to c, lead to if they go on alike.
std::vector<double> extrapolate(const std::vector<double>& a, const std::vector<double>& b,
                                const std::vector<double>& c);

}  // namespace orrery::quartet
