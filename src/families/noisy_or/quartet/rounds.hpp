// The rounds of a run: scan all quartets, learn causes, subtract them off, until nothing is left.
#pragma once

#include <cstdint>

#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

/// Fixed thresholds, one quartet per cause: Algorithm 1 of the paper. Collective.
void paper_rounds(const learning::LearnContext& context, const Options& options, State& state);
/// Calibrated tests, causes elected by many quartets. Collective.
void calibrated_rounds(const learning::LearnContext& context, const Options& options, State& state);

/// Causes from pairs of equal signatures, for many variables (signature_search.hpp). Collective.
void signature_rounds(const learning::LearnContext& context, const Options& options, State& state);

/// EM of the parameters of causes that signature_rounds found and refined; false if it has not come
/// to its end. Unless parameters alone may change, with the causes that many pairs show together
/// (residual_components.hpp). `kept`: what a checkpoint keeps, the state that signature_rounds
/// left. Collective.
bool settle(const learning::LearnContext& context, double alpha, Settle what, const State& kept,
            State& state);

/// Calibrated tests with each round's causes refined (refine/refiner.hpp) before they are
/// subtracted. Collective.
model::LearnedModel refined_rounds(const learning::LearnContext& context, const Options& options,
                                   State& state);
/// The causes of other rounds refined, once. Collective.
model::LearnedModel refine_found(const learning::LearnContext& context, const Options& options,
                                 State& state);

// Growth as a step of the learner: with its checkpoints, its progress, its model
// (growth/grown_model.cpp).

struct GrownModel {
  model::LearnedModel model;
  double score = 0;  ///< see Growth::score
};

/// From independent variables, or from where state.growth left off. Ends early, with what there is,
/// when the time is over. Collective.
GrownModel grow(const learning::LearnContext& context, State& state);

/// Growth::score of a network of independent causes that has this log likelihood.
double score_as_grown(const model::NoisyOrNetwork& network, double log_likelihood, double n_rows);

// What the rounds share.

/// Scans all quartets for the round state.depth, or what is left of them; false if the time is over
/// before all are scanned. Collective.
bool scan_round(const learning::LearnContext& context, const moments::Subtraction& learned,
                const Options& options, State& state);
/// Keeps the state if a pause asks for it. Throws Stopped, or TimeUp. Collective.
void keep(const learning::LearnContext& context, parallel::Team::Pause pause, const State& state);
/// Says what a finished round has found, and warns of candidates beyond the limit.
void tell(const State& state, const Options& options);

// What they would take (--dry-run, plan.cpp).

/// Adds the rounds' time to context.timing; the plan's memory is that of the learner's largest
/// round, without program and bits.
learning::Plan predict(const learning::PlanContext& context, const Options& options);

/// Bytes of accepted quartets at rank 0 at their peak, while threads find them or ranks merge them.
double candidate_bytes(double n_accepted, const learning::Resources& resources,
                       const Options& options);

}  // namespace orrery::quartet
