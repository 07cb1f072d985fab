// What is said of a linear network that was just learned.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::cli {

/// Causes and edges, a line a cause, what the learner remarks, and where it was written; or JSON.
void print_linear_summary(const Arguments& arguments, const model::LearnedLinear& learned,
                          const std::string& output, double seconds);

}  // namespace orrery::cli
