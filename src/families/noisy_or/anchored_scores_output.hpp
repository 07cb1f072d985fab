// What `evaluate` says of a learned anchored network beside the true one; as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "families/noisy_or/scores/anchored_scores.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

nlohmann::json anchored_scores_json(const AnchoredScores& scores,
                                    const model::NoisyOrNetwork& truth,
                                    const model::NoisyOrNetwork& learned);
std::string describe_anchored_scores(const AnchoredScores& scores,
                                     const model::NoisyOrNetwork& truth,
                                     const model::NoisyOrNetwork& learned);

}  // namespace orrery::noisy_or
