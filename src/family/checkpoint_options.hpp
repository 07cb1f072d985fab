// --checkpoint, --every and --resume; --time-limit of commands that end in a model.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "family/model_run.hpp"
#include "learning/checkpoints.hpp"
#include "learning/learner.hpp"

namespace orrery::family {

void add_checkpoint_options(boost::program_options::options_description& options);
void add_time_limit_option(boost::program_options::options_description& options);
/// What the options ask for; `input`: of the learner; `options` are those that its result depends
/// on, and `files` are known by their content. Collective.
learning::Checkpoints open_checkpoints(const cli::Arguments& arguments, const parallel::Team& team,
                                       const MomentInputs& inputs, learning::Input input,
                                       const std::string& learner,
                                       std::vector<std::pair<std::string, std::string>> options,
                                       const std::vector<learning::OptionFile>& files = {});

}  // namespace orrery::family
