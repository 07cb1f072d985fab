// depth --test expansion: are the assumptions met under which a linear network can be learned?
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "orrery/learners/plan.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::cli {

/// Prints, for each of the three conditions, whether it holds, and what violates it. With upper
/// levels, for each level.
void print_conditions(const Arguments& arguments, const model::LinearNetwork& network);
/// Of the same.
learners::Plan plan_of_conditions(const model::LinearNetwork& network);

}  // namespace orrery::cli
