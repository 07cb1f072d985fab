// `infer` for signs on a tree: what was meant where it was flipped or not seen, and predictions of
// some variables from others.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/kept_batches.hpp"
#include "orrery/model/sign_tree.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

/// Collective.
void infer_tree(const Arguments& arguments, const parallel::Team& team,
                const model::LearnedTree& learned, const OpenBatches& open_batches);

}  // namespace orrery::cli
