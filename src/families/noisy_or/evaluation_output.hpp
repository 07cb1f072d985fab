// What `evaluate` says: of a known truth, of data, of the model itself; as JSON and as text.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

// `depths` are those of model::structural_depths: computed once for all that is said.

nlohmann::json truth_json(const Evaluation& result, const model::LearnedModel& learned,
                          const model::NoisyOrNetwork& truth,
                          const std::vector<std::int32_t>& depths);
std::string describe_truth(const Evaluation& result, const model::LearnedModel& learned,
                           const model::NoisyOrNetwork& truth,
                           const std::vector<std::int32_t>& depths);

/// [hits, total].
nlohmann::json share_json(const Share& share);
nlohmann::json data_json(const DataScores& scores, const model::NoisyOrNetwork& network);
std::string describe_data(const DataScores& scores, const model::NoisyOrNetwork& network);

/// Causes and weakest edges (JSON: leaks too), with intervals, support and stability as far as they
/// are known.
nlohmann::json model_json(const model::LearnedModel& learned,
                          const std::vector<std::int32_t>& depths);
std::string describe_model(const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths, bool list_causes);

}  // namespace orrery::noisy_or
