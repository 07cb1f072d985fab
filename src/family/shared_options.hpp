// Options that several families or several commands have, so that one name means one thing.
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

/// --data: samples that a model is held against.
void add_data_option(boost::program_options::options_description& options);
/// --train: the samples that a model was learned from.
void add_train_option(boost::program_options::options_description& options);
/// Throws UsageError if `option` was given (not by its default) without `needed`, where it would
/// change nothing.
void require_with(const cli::Arguments& arguments, const char* option, const char* needed);

/// --title of a page, or `otherwise`; and the name of the model's file.
std::string title_of(const cli::Arguments& arguments, const char* otherwise);
std::string source_of(const cli::Arguments& arguments);

// --checkpoint, --every and --resume; --time-limit of commands that end in a model.

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
