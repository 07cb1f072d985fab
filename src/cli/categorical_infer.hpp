// `infer` of a categorical network.
#pragma once

#include "cli/arguments.hpp"
#include "cli/kept_batches.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

/// The states of the causes behind each row, by sums over all joint states. Rows are shared by the
/// threads of one rank; at 1,000 ranks the others would wait.
void infer_categorical(const Arguments& arguments, const parallel::Team& team,
                       const model::LearnedCategorical& learned, const OpenBatches& open_batches);

}  // namespace orrery::cli
