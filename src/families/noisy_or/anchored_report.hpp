// `report` for anchored networks, and the truth that they are held against.
#pragma once

#include <optional>

#include "cli/arguments.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// At root alone.
void report_anchored(const cli::Arguments& arguments, const model::LearnedModel& learned);

}  // namespace orrery::noisy_or
