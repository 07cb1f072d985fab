// A learned linear network beside the true one, as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "families/linear/scores/scores.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear {

nlohmann::json linear_scores_json(const LinearScores& scores, const model::LinearNetwork& truth,
                                  const model::LinearNetwork& learned);
std::string describe_linear_scores(const LinearScores& scores);

}  // namespace orrery::linear
