// Random networks of causes for generated anchored networks.
#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "model/anchored_generators.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::model {

inline double uniform_between(RowRandom& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

/// As generate_anchored says.
CauseNetwork random_cause_network(const AnchoredSpec& spec, std::uint64_t seed);

}  // namespace orrery::model
