// Whether the ranks of a run compute alike.
#pragma once

#include "parallel/team.hpp"

namespace orrery::cli {

/// Warns where exponentials and logarithms have other last digits on some ranks, because the C
/// library has other code for their processors (or was told to use it), and where the processors
/// are of different models, for which linear algebra has other code. Collective.
void warn_of_mixed_processors(const parallel::Team& team);

}  // namespace orrery::cli
