// Seeds of causes from what the leaks have to explain together.
#pragma once

#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "learning/row_sums.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Variables whose leaks come together: seeds of causes that the others hide from the moments.
/// `moments` say which are observed together. Collective.
std::vector<Elected> leaking_together(const learning::RowPass& rows,
                                      const moments::MomentSource& moments,
                                      const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
