// `evaluate` of a categorical network.
#pragma once

#include "cli/arguments.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::cli {

/// --truth and --data, or what the model says of itself. On one rank; rows are shared by threads.
void evaluate_categorical(const Arguments& arguments, const model::LearnedCategorical& learned);

}  // namespace orrery::cli
