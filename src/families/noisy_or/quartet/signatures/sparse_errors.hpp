// Standard errors of the parameters of hundreds of causes.
//
// As errors.hpp, each cause alone with its failures and, of causes of up to 30 children, the leaks
// of its children; the rest counts as known, so that errors are a little too small. Rows in which a
// cause has no part differ from a row without any child in few gradients, and are added as that
// difference. Of very many causes some 20,000 of the rows are looked at.
//
// Cost: a pass over the rows (sparse_posterior.hpp) and, for each cause that may be present in a
// row, (1 + 2 d)^2 / 2 additions for d children. Memory: 48 bytes per thread for each of the sums,
// (1 + 2 d)^2 / 2 a cause, at most most_error_sums of all.
#pragma once

#include "families/noisy_or/quartet/refine/em.hpp"
#include "learning/row_sums.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

/// Empty where that would take more than most_error_sums. Collective.
model::StandardErrors sparse_standard_errors(const learning::RowPass& rows,
                                             const model::NoisyOrNetwork& network,
                                             const FailurePrior& prior);

}  // namespace orrery::quartet
