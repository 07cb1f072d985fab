// Between the network that growth works on and the one that a learner returns.
#pragma once

#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Its causes as a forest: each depends on one other at most.
[[nodiscard]] Grown to_grown(const model::NoisyOrNetwork& network);
/// Priors are marginals; the cause network is empty if the causes are independent.
[[nodiscard]] model::NoisyOrNetwork to_network(const Grown& grown,
                                               const std::vector<std::string>& cause_names,
                                               const std::vector<std::string>& names);

}  // namespace orrery::quartet
