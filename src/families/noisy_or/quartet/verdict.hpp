// What a noisy-OR network cannot say of a table, said by the learner itself: why pairs of variables
// stay unexplained.
//
// Cost: O(m^2 n) for m variables and n causes, from the pair moments; and held_out.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/residual_pairs.hpp"
#include "learning/learner.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Groups of columns of which hardly two are ever on together, though chance would have it: the
/// values of one question, each a column. Each group rises, of two or more.
std::vector<std::vector<std::uint32_t>> exclusive_columns(const moments::MomentSource& moments);

/// How far each pair of variables is from what the network expects.
ResidualPairs residuals_of(const learning::LearnContext& context,
                           const model::NoisyOrNetwork& network);
/// Share of the pairs beyond three standard deviations.
double misfit_of(const ResidualPairs& pairs);

/// What a run ends with: the share of pairs of variables that the network leaves unexplained; where
/// that is 1 % or more, or causes depend on one another, or rows are few, how it predicts rows set
/// aside beside other models (held_out.hpp), and what in the table may be the reason; of no cause
/// what was tested. Nothing where there are too many pairs to look at, or of exact moments.
/// Collective.
std::vector<std::string> verdict(const learning::LearnContext& context,
                                 const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
