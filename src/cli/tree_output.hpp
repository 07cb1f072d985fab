// A learned tree in words.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::cli {

/// What was learned, and where it was written.
void print_tree_summary(const Arguments& arguments, const model::LearnedTree& tree,
                        const std::string& output, double seconds);

}  // namespace orrery::cli
