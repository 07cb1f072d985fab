// `evaluate` and `report` for linear networks.
#pragma once

#include <optional>

#include "cli/arguments.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::cli {

/// --truth, with the learned network's variables in their order; empty if it was not given.
std::optional<model::LearnedLinear> load_true_linear(const Arguments& arguments,
                                                     const model::LinearNetwork& learned);
/// At root alone.
void report_linear(const Arguments& arguments, const model::LearnedLinear& learned);
void evaluate_linear(const Arguments& arguments, const model::LearnedLinear& learned);

}  // namespace orrery::cli
