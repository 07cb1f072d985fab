// --data, --train and --triples: samples that a model is held against.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "learning/plan.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"

namespace orrery::noisy_or {

void add_data_options(boost::program_options::options_description& options);
/// --min-prior, of the comparison with --truth.
void add_match_options(boost::program_options::options_description& options);
/// Its value. Throws UsageError if it is no probability.
double min_prior(const cli::Arguments& arguments);

/// A model held against the true network.
struct Judgement {
  model::LearnedModel truth;
  Evaluation evaluation;
};
/// With the network of --truth; empty if it was not given. Throws InputError naming it.
std::optional<Judgement> judge_by_truth(const cli::Arguments& arguments,
                                        const model::LearnedModel& learned);

/// Throws UsageError if --train or --triples were given without --data, or --min-prior without
/// --truth, where they would change nothing.
void require_used_options(const cli::Arguments& arguments);

/// Scores --data, whose rows all ranks share; empty if it was not given. Collective. Throws
/// InputError naming the file whose variables are not as many as the model's.
std::optional<DataScores> score_data_option(const cli::Arguments& arguments,
                                            const parallel::Team& team,
                                            const model::LearnedModel& model,
                                            const model::NoisyOrNetwork* truth);

/// What it takes: a row costs 2^causes states of m variables at worst.
learning::Plan plan_data_scores(const cli::Arguments& arguments,
                                const model::NoisyOrNetwork& network);

}  // namespace orrery::noisy_or
