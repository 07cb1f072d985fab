// `evaluate` for anchored networks.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// --labels and --last-tag.
void add_anchored_evaluation_options(boost::program_options::options_description& options);

/// At root alone.
void evaluate_anchored(const cli::Arguments& arguments, const model::LearnedModel& learned);

}  // namespace orrery::noisy_or
