// plan tree: how many samples a tree of signs takes, by theory (Nikolakakis et al. 2018).
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "report/sheet.hpp"

namespace orrery::sign_tree {

void add_plan_options(boost::program_options::options_description& options);
void plan(const cli::Arguments& arguments, report::Sheet& sheet);

}  // namespace orrery::sign_tree
