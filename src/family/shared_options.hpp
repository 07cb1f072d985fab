// Options that several families have at a command, so that one name means one thing.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"

namespace orrery::family {

/// --data: samples that a model is held against.
void add_data_option(boost::program_options::options_description& options);
/// --train: the samples that a model was learned from.
void add_train_option(boost::program_options::options_description& options);
/// Throws UsageError if `option` was given (not by its default) without `needed`, where it would
/// change nothing.
void require_with(const cli::Arguments& arguments, const char* option, const char* needed);

}  // namespace orrery::family
