// orrery plan METHOD: what theory says before there are data.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "cli/printing.hpp"
#include "commands/commands.hpp"
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

void list(const std::vector<Planner>& planners) {
  std::cout << "usage: orrery plan METHOD [options]\n\n";
  for (const Planner& planner : planners) {
    std::cout << fmt::format("  {:9}{}\n", planner.name, planner.summary);
  }
  std::cout << fmt::format("\nexample: {}\n", planners.front().example);
}

}  // namespace

void run_plan(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<Planner> planners = all_planners();
  const std::string name = line.words.empty() ? "" : line.words[0];
  if (name == "--help" || name == "-h") {
    if (team.is_root()) list(planners);
    return;
  }
  const auto planner = std::ranges::find(planners, name, &Planner::name);
  if (planner == planners.end()) {
    std::string known;
    for (const Planner& one : planners) {
      known += fmt::format("{}orrery plan {}", known.empty() ? "" : ", ", one.name);
    }
    throw UsageError(
        fmt::format("orrery plan {}: the method is missing or unknown; there is: {}", name, known));
  }
  po::options_description own("Options");
  planner->add_options(own);
  const cli::Arguments arguments(
      {"plan " + planner->name, planner->synopsis, planner->description, planner->example, {}}, own,
      {{line.words.begin() + 1, line.words.end()}, line.full}, team);
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
