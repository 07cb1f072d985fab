// What `evaluate` says of a known truth by the likeness of strengths; as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "families/noisy_or/scores/likeness.hpp"
#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

nlohmann::json likeness_json(const Likeness& likeness, const model::NoisyOrNetwork& learned,
                             const model::NoisyOrNetwork& truth);
/// Three lines; of many causes also the bands, and what was missed.
std::string describe_likeness(const Likeness& likeness, const model::NoisyOrNetwork& learned,
                              const model::NoisyOrNetwork& truth);

}  // namespace orrery::noisy_or
