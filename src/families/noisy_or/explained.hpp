// infer --explain: which findings of a row speak for and against a cause.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/finding_weights.hpp"
#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

/// A cause of a row.
struct ExplainedCause {
  std::uint32_t cause;
  double posterior, error;
  model::CauseEvidence evidence;
};
nlohmann::json explained_json(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                              const model::NoisyOrNetwork& network);
std::string describe_explained(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                               const model::NoisyOrNetwork& network);

}  // namespace orrery::noisy_or
