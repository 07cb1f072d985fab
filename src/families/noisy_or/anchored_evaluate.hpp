// `evaluate` for anchored networks.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "learning/plan.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"
#include "report/sheet.hpp"

namespace orrery::noisy_or {

/// --labels and --last-tag.
void add_anchored_evaluation_options(boost::program_options::options_description& options);

learning::Plan plan_evaluate_anchored(const cli::Arguments& arguments,
                                      const model::LearnedModel& learned);
/// Rows are shared by all ranks. Collective.
void evaluate_anchored(const cli::Arguments& arguments, const parallel::Team& team,
                       const model::LearnedModel& learned, report::Sheet& sheet);

}  // namespace orrery::noisy_or
