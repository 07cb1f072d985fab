// Edges that are not worth what refinement asks of one: the search by pair signatures keeps weak
// ones, which causes of few rows need.
//
// Cost: a few operations per edge.
#pragma once

#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

/// Drops the edges of `state` that are worth less than refinement asks of an edge (Penalty), each
/// alone, as its standard error tells, and the causes that are left with one or two others: what
/// all these cost, nats; 0 if there are none. A network may need edges together that it does not
/// need one by one. `model`: that of `state`, with standard errors.
double drop_doubtful_edges(const learning::LearnContext& context, double alpha,
                           const model::LearnedModel& model, State& state);

}  // namespace orrery::quartet
