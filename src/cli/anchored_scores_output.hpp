// What `evaluate` says of a learned anchored network beside the true one; as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/evaluate/anchored_scores.hpp"
#include "orrery/model/anchored_network.hpp"

namespace orrery::cli {

nlohmann::json anchored_scores_json(const evaluate::AnchoredScores& scores,
                                    const model::AnchoredNetwork& truth,
                                    const model::AnchoredNetwork& learned);
std::string describe_anchored_scores(const evaluate::AnchoredScores& scores,
                                     const model::AnchoredNetwork& truth,
                                     const model::AnchoredNetwork& learned);

}  // namespace orrery::cli
