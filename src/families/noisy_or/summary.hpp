// The causes of a noisy-OR network, with what is known of their evidence, as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/scores/uncertainty.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// Null, or [low, high].
nlohmann::json interval_json(const std::optional<Interval>& interval);
/// " (0.242 to 0.26)", or nothing.
std::string describe_interval(const std::optional<Interval>& interval);
/// How many causes are at each structural depth: "6 at depth 0, 2 at depth 1"; empty where there
/// are no depths.
std::string describe_depths(const std::vector<std::int32_t>& depths);
/// A structural depth: "depth 1", or "never by quartets"; in JSON a number, or null.
std::string describe_depth(std::int32_t depth);
nlohmann::json depth_json(std::int32_t depth);
/// The causes of a model, with what is known of their evidence and their structural depths
/// (model::structural_depths; may be empty).
nlohmann::json causes_json(const model::LearnedModel& model,
                           const std::vector<std::int32_t>& structural_depths);
/// The same as text, one line per cause.
std::string describe_causes(const model::LearnedModel& model,
                            const std::vector<std::int32_t>& structural_depths);

}  // namespace orrery::noisy_or
