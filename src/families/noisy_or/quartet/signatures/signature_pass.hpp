// One pass over the rows, and what it says of all edges and causes of a network at once.
//
// Cost: sparse_expectation.hpp; beside it n^2 for n causes, and for each edge the other parents of
// its variable.
#pragma once

#include <cstddef>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/signatures/active_expectation.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "learning/row_sums.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Edges are many and unlike: held to nothing but to be inside (0, 1).
inline constexpr FailurePrior signature_failure_prior{constants::signatures::pseudo_failures,
                                                      constants::signatures::pseudo_successes};

/// A step of EM, which leaves the edges of `network` as they are. Collective.
SparseExpectation step(const learning::RowPass& rows, Missing missing,
                       model::NoisyOrNetwork& network, Keep keep = {});

/// The same by all active rows (ActiveExpectation::is_whole), with Missing::edges.
SparseExpectation step(ActiveExpectation& active, model::NoisyOrNetwork& network);
/// The same without a judgement of the structure.
void parameter_step(ActiveExpectation& active, model::NoisyOrNetwork& network);

/// Steps of EM by the sample of active rows from `network` on, two of three followed by squared
/// extrapolation, until one gains less than `least_gain` or they are `most_steps`: the gain of them
/// all, nats. Collective.
double ascend(const ActiveExpectation& active, double least_gain, int most_steps,
              model::NoisyOrNetwork& network);

/// Without edges that are not worth their cost, with those that are missing.
[[nodiscard]] model::NoisyOrNetwork tidy(const model::NoisyOrNetwork& network,
                                         const SparseExpectation& found, const Constraints& rules);
/// Causes that gain more than `cause_cost` and their edges' costs, in enough rows.
[[nodiscard]] std::vector<std::size_t> needed_causes(const model::NoisyOrNetwork& network,
                                                     const SparseExpectation& found,
                                                     double cause_cost, const Constraints& rules);
/// Of `needed`, those that owe at least half of their gain to edges that gain what refinement of
/// few causes asks of them (em.hpp), or that gain four times as much as that for each edge: a cause
/// of a hundred edges, each worth little more than its cost here, is what chance makes of many
/// columns. (A cause whose children have other causes too gains far more than its edges, each of
/// which a leak could stand for.)
[[nodiscard]] std::vector<std::size_t> clear_causes(const model::NoisyOrNetwork& network,
                                                    const SparseExpectation& found,
                                                    const Penalty& penalty,
                                                    const std::vector<std::size_t>& needed,
                                                    const Constraints& rules);
/// The network where one cause of two that are the same, or of which the rarer one seldom comes
/// alone and explains little beside the other, has the rows of both; `needed` is without the other
/// then.
[[nodiscard]] model::NoisyOrNetwork without_doubles(const model::NoisyOrNetwork& network,
                                                    const SparseExpectation& found,
                                                    const Constraints& rules,
                                                    std::vector<std::size_t>& needed);

}  // namespace orrery::quartet
