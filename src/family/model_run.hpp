// What the commands that end in a model share: where their moments come from, and the way from
// there to a file.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "learning/checkpoints.hpp"
#include "learning/learner.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::family {

/// DATA and --moments as given; one of them may be empty.
struct MomentInputs {
  std::string data;
  std::string moments;
};

/// Adds -o and --moments.
void add_model_options(boost::program_options::options_description& options);
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

}  // namespace orrery::family
