// `report` for categorical networks.
#pragma once

#include "cli/arguments.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::cli {

/// At root alone.
void report_categorical(const Arguments& arguments, const model::LearnedCategorical& learned);

}  // namespace orrery::cli
