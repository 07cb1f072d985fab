// Options that several families have at a command, so that one name means one thing.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>

#include "cli/arguments.hpp"

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

}  // namespace orrery::family
