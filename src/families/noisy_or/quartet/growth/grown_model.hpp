// Growth as a step of the quartet learner: with its checkpoints, its progress, its model.
#pragma once

#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

struct GrownModel {
  model::LearnedModel model;
  double score = 0;  ///< see Growth::score
};

/// From independent variables, or from where state.growth left off. Ends early, with what there is,
/// when the time is over. Collective.
GrownModel grow(const learning::LearnContext& context, State& state);

/// Growth::score of a network of independent causes that has this log likelihood.
double score_as_grown(const model::NoisyOrNetwork& network, double log_likelihood, double n_rows);

}  // namespace orrery::quartet
