// What a noisy-OR network cannot say of a table, said by the learner itself: why pairs of variables
// stay unexplained.
//
// Cost: O(m^2 n) for m variables and n causes, from the pair moments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/learners/learner.hpp"
#include "orrery/model/network.hpp"
#include "orrery/moments/moment_source.hpp"

namespace orrery::quartet {

/// Groups of columns of which hardly two are ever on together, though chance would have it: the
/// values of one question, each a column. Each group rises, of two or more.
std::vector<std::vector<std::uint32_t>> exclusive_columns(const moments::MomentSource& moments);

/// Remarks on a network without a cause, and on one that leaves 1 % of the pairs or more beyond
/// three standard deviations: their share, and what in the table may be the reason. None on a
/// network that fits, of more than 1,000 variables, or of exact moments.
std::vector<std::string> verdict(const learners::LearnContext& context,
                                 const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
