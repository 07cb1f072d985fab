// orrery plan METHOD: what theory says before there are data.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <vector>

#include "base/typed_words.hpp"
#include "cli/arguments.hpp"
#include "cli/help.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using family::Planner;

std::vector<Planner> all_planners() {
  std::vector<Planner> planners;
  for (const family::Family* family : family::families()) {
    planners.insert(planners.end(), family->planners.begin(), family->planners.end());
  }
  return planners;
}

void list(const cli::CommandLine& line, const std::vector<Planner>& planners) {
  std::vector<Listed> methods;
  for (const Planner& planner : planners) methods.push_back({planner.name, planner.summary});
  print_methods(line, "orrery plan METHOD [options]", methods,
                fmt::format("example: {}\n`orrery plan METHOD --help` lists a method's options\n",
                            planners.front().example));
}

}  // namespace

void run_plan(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<Planner> planners = all_planners();
  const std::string name = line.words.empty() ? "" : line.words[0];
  if (cli::is_help(name)) {
    if (team.is_root()) list(line, planners);
    return;
  }
  const auto planner = std::ranges::find(planners, name, &Planner::name);
  if (planner == planners.end()) {
    std::vector<std::string> names;
    for (const Planner& one : planners) names.push_back(one.name);
    throw UsageError(
        fmt::format("orrery plan {}: the method is missing or unknown{}; there is: orrery plan {}",
                    name, did_you_mean(name, names), fmt::join(names, ", orrery plan ")));
  }
  po::options_description own("Options");
  planner->add_options(own);
  const cli::Arguments arguments(
      {"plan " + planner->name, planner->synopsis, planner->description, planner->example, {}}, own,
      line.without_first(), team);
  if (arguments.helped() || !team.is_root()) return;
  report::Sheet sheet;
  planner->run(arguments, sheet);  // formulas: --dry-run too says what is wrong with the options
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {2e7, 1, "set of formulas"});
  } else {
    cli::print_sheet(arguments, sheet);
  }
}

}  // namespace orrery::commands
