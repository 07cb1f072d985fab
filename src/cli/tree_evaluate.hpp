// `evaluate` for signs on a tree.
#pragma once

#include "cli/arguments.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::cli {

/// At root alone.
void evaluate_tree(const Arguments& arguments, const model::LearnedTree& learned);

}  // namespace orrery::cli
