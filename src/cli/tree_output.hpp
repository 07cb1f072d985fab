// A learned tree as a file, and in words.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "orrery/model/sign_tree.hpp"
#include "orrery/store/run_info.hpp"

namespace orrery::cli {

/// Throws EnvironmentError.
void write_tree(const std::string& path, const model::LearnedTree& tree, const store::RunInfo& run);
/// What was learned, and where it was written.
void print_tree_summary(const Arguments& arguments, const model::LearnedTree& tree,
                        const std::string& output, double seconds);

}  // namespace orrery::cli
