// Random networks of causes for generated anchored networks.
#pragma once

#include <cstdint>

#include "orrery/model/anchored_generators.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::model {

/// As generate_anchored says.
CauseNetwork random_cause_network(const AnchoredSpec& spec, std::uint64_t seed);

}  // namespace orrery::model
