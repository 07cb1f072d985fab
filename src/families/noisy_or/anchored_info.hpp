// What an anchored network is, in a line; and what is said of one that was just learned.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// Numbers of causes, variables, edges, anchors; where it came from.
nlohmann::json anchored_info_json(const model::LearnedModel& learned);
/// The same as a line.
std::string describe_anchored_info(const nlohmann::json& info);

/// A line a cause with its anchors and their rates, what the learner remarks, and where it was
/// written; or JSON.
void print_anchored_summary(const cli::Arguments& arguments, const model::LearnedModel& learned,
                            const std::string& output, double seconds);

}  // namespace orrery::noisy_or
