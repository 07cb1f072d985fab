// What a linear network is, in a line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/model/linear_network.hpp"

namespace orrery::cli {

/// Numbers of causes, variables, edges, levels; where it came from.
nlohmann::json linear_info_json(const model::LearnedLinear& learned);
/// The same as a line.
std::string describe_linear_info(const nlohmann::json& info);

}  // namespace orrery::cli
