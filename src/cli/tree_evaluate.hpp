// `evaluate` and `report` for signs on a tree.
#pragma once

#include <optional>

#include "cli/arguments.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::cli {

/// --truth, with the learned tree's variables in their order; empty if it was not given.
std::optional<model::LearnedTree> load_true_tree(const Arguments& arguments,
                                                 const model::SignTree& learned);
/// At root alone.
void report_tree(const Arguments& arguments, const model::LearnedTree& learned);
void evaluate_tree(const Arguments& arguments, const model::LearnedTree& learned);

}  // namespace orrery::cli
