// The network of the causes that pair signatures found, from the state that a checkpoint keeps, and
// back into it. Causes are named as the rules on what is known beforehand name them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Of cause u of `state`: a cause that nobody knew is "*", any.
[[nodiscard]] const std::string& rule_name(const Constraints& rules, const State& state,
                                           std::size_t u);

/// Causes as they were found, which refinement has not seen yet, with the leaks that they leave.
[[nodiscard]] model::NoisyOrNetwork found_network(const learning::LearnContext& context,
                                                  const Constraints& rules, const State& state);
/// The network that `state` holds once into() has been there.
[[nodiscard]] model::NoisyOrNetwork refined_network(const learning::LearnContext& context,
                                                    const Constraints& rules, const State& state);
/// Those causes of the network that are `needed`, in the place of the causes of `state`, of which
/// cause u of the network is the refined one; its leaks.
void into(const model::NoisyOrNetwork& network, const std::vector<std::size_t>& needed,
          State& state);

}  // namespace orrery::quartet
