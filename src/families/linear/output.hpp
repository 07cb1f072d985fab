// What a linear network holds, as `evaluate` says it: as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/model/linear_network.hpp"

namespace orrery::linear {

/// linear_info_json, and beside it causes with their strongest edges, dependence of causes, levels,
/// the rank test, remarks.
nlohmann::json linear_json(const model::LearnedLinear& learned);
/// The same as text: the line and the remarks, and all else if `in_full`.
std::string describe_linear(const model::LearnedLinear& learned, bool in_full);

}  // namespace orrery::linear
