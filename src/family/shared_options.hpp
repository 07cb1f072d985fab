// Options that several families or several commands have, so that one name means one thing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/program_options.hpp"
#include "family/model_run.hpp"
#include "learning/checkpoints.hpp"
#include "learning/learner.hpp"
#include "orrery/model/any_model.hpp"
#include "report/page.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

/// --data: samples that a model is held against.
void add_data_option(boost::program_options::options_description& options);
/// --train: the samples that a model was learned from.
void add_train_option(boost::program_options::options_description& options);
/// Throws UsageError if `option` was given (not by its default) without `needed`, where it would
/// change nothing.
void require_with(const cli::Arguments& arguments, const char* option, const char* needed);

/// --title of a page, or `otherwise`.
std::string title_of(const cli::Arguments& arguments, const char* otherwise);
/// Where the model that the arguments name came from: as its file says. Throws InputError as files
/// do.
report::Colophon colophon_of(const cli::Arguments& arguments, model::AnyModel model);

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
