// What the commands of noisy-OR networks are given: networks, what their variables are among the
// columns of data, the rows of data and of labels, and (--data, --train, --triples, --truth) what a
// model is held against.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/program_options.hpp"
#include "data/bits.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "family/asked_rows.hpp"
#include "family/family.hpp"
#include "learning/plan.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::noisy_or {

/// The network of a model; throws InputError, naming `source` and what it holds, if the model is of
/// another family.
model::LearnedModel require_network(const family::AnyModel& loaded, const std::string& source);
/// Of independent causes too.
model::LearnedModel require_independent(const family::AnyModel& loaded, const std::string& source);
/// A network of independent causes that `argument` names. `seed` is that of random generators.
/// Throws InputError or UsageError.
model::LearnedModel load_network(const std::string& argument, std::uint64_t seed);

/// The place among `names`, the columns of `data_source`, of each observed variable of `network`.
/// Columns that the network does not have are counted in a warning. Throws InputError listing the
/// differences if the data lack a variable.
std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source, const std::string& data_source);
/// The network with the data's variables, in their order; `places` are places_in_data. A variable
/// that is not the network's has no edge, and leak 0.
model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& places);

/// --data, --train and --triples: samples that a model is held against.
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

// Rows of data, and of labels, as an anchored network needs them.

/// Which columns of `names` the network's observed variables are: by name, a union's members if
/// there is no column of the union's own name. Throws InputError naming `source` and the columns
/// that it lacks.
data::ColumnUnions columns_of(const model::NoisyOrNetwork& network,
                              const std::vector<std::string>& names, const std::string& source);

/// The observed variables, with the columns of those that are unions of several.
family::AskedVariables asked_variables(const model::NoisyOrNetwork& network);

/// All rows; column j is the network's observed variable j. Columns that the network has not are
/// warned of, unless `model_source` is empty. Throws InputError if there is no row, or a missing
/// value.
data::SampleMatrix read_rows_of(const model::NoisyOrNetwork& network,
                                const std::string& model_source, const std::string& path);

/// All rows; column i is the network's cause i, by name. Throws InputError naming the causes that
/// the file lacks.
data::SampleMatrix read_labels_of(const model::NoisyOrNetwork& network,
                                  const std::string& model_source, const std::string& path);

}  // namespace orrery::noisy_or
