// What the commands that end in a model share: where their samples and moments come from, and the
// way from there to a file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/program_options.hpp"
#include "family/family.hpp"
#include "learning/checkpoints.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/any_model.hpp"
#include "store/store.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

/// DATA and --moments as given; one of them may be empty.
struct MomentInputs {
  std::string data;
  std::string moments;
};

/// Adds -o, and --moments if it can name anything.
void add_model_options(boost::program_options::options_description& options,
                       learning::TakesMoments moments = learning::TakesMoments::both);
/// Throws UsageError if neither was given.
MomentInputs moment_inputs(const cli::Arguments& arguments);

/// Throws UsageError for --moments with a learner that has no use for them: stored counts are of
/// bits, and of categories there are no exact moments either.
void refuse_moments_of(learning::Input input, const MomentInputs& inputs);

using PlanLearning = std::function<learning::Plan(const learning::PlanContext&)>;
/// --dry-run of a command that learns: its input's part of the plan around `learning`. Root only.
learning::Plan plan_model(const cli::Arguments& arguments, const parallel::Team& team,
                          const MomentInputs& inputs, const PlanLearning& learning);

using Learn = std::function<model::AnyModel(const learning::LearnContext&)>;
/// Loads the inputs, learns, writes and reports the model; rank 0 refuses before any work what it
/// could not write after it. Collective.
void run_model(const cli::Arguments& arguments, const parallel::Team& team,
               const MomentInputs& inputs, learning::Checkpoints checkpoints, const Learn& learn);

/// The same for a learner that counts for itself (LearnerEntry::learn_data). `input`: a
/// learner of numbers takes a linear network where there is no DATA. Collective.
using LearnData = std::function<model::AnyModel(const learning::DataContext&)>;
void run_data_model(const cli::Arguments& arguments, const parallel::Team& team,
                    const MomentInputs& inputs, learning::Input input,
                    learning::Checkpoints checkpoints, const LearnData& learn);
/// --dry-run of it.
using PlanData = std::function<learning::Plan(const learning::DataPlanContext&)>;
learning::Plan plan_data_model(const cli::Arguments& arguments, const parallel::Team& team,
                               const MomentInputs& inputs, learning::Input input,
                               const PlanData& plan);

// Samples and moments for the commands that learn, the same at every rank.

/// Owns what a learner reads. Not copyable: the moments refer to the samples beside them.
struct LearnerInput {
  std::unique_ptr<AnyModel> network;             ///< the network of exact moments
  std::unique_ptr<moments::MomentSource> exact;  ///< its moments
  std::unique_ptr<store::MomentsReader> stored;  ///< moments counted earlier
  learning::Samples samples;                     ///< nothing with exact moments
  std::vector<std::string> names;
  std::uint64_t digest = 0;

  [[nodiscard]] const moments::MomentSource& moments() const {
    return exact ? *exact : *samples.moments;
  }
};

/// The counts of --moments FILE, whose digest must be that of DATA. Collective.
std::unique_ptr<store::MomentsReader> read_counts(const parallel::Team& team,
                                                  const MomentInputs& inputs);

/// Moments of a network that take the place of samples; throws InputError, naming `source`, for a
/// family that has none. `model` must outlive them.
std::unique_ptr<moments::MomentSource> exact_moments_of(const AnyModel& model,
                                                        const std::string& source);

/// Names of the variables of DATA, or of the network of --moments. Collective.
std::vector<std::string> variable_names(const parallel::Team& team, const Arguments& arguments,
                                        const MomentInputs& inputs);

/// Loads DATA within --memory (if the command has that option) and counts pairs, or takes them from
/// a moments file (--moments FILE) whose digest must match. `data` empty: --moments names a
/// network, whose exact moments are used. Collective.
LearnerInput load_learner_input(const parallel::Team& team, const Arguments& arguments,
                                const MomentInputs& inputs, learning::Checkpoints& checkpoints,
                                std::vector<Stage>& stages);

}  // namespace orrery::family
