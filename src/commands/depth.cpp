// orrery depth NETWORK [--test TEST]
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using family::DepthTest;

std::vector<DepthTest> all_tests() {
  std::vector<DepthTest> tests;
  for (const family::Family* family : family::families()) {
    tests.insert(tests.end(), family->depth.begin(), family->depth.end());
  }
  return tests;
}

std::vector<std::string> names_of(const std::vector<DepthTest>& tests) {
  std::vector<std::string> names;
  for (const DepthTest& test : tests) names.push_back(test.name);
  return names;
}

const DepthTest& find_test(const std::vector<DepthTest>& tests, const std::string& name) {
  const auto found = std::ranges::find(tests, name, &DepthTest::name);
  if (found != tests.end()) return *found;
  std::string known;
  for (const DepthTest& test : tests) known += (known.empty() ? "" : ", ") + test.name;
  throw UsageError(fmt::format("--test {}: must be one of {}", name, known));
}

}  // namespace

void run_depth(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<DepthTest> tests = all_tests();
  std::string help;
  for (const DepthTest& test : tests) {
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", test.name, test.help);
  }
  po::options_description own("Options");
  own.add_options()("test",
                    po::value<std::string>()->default_value(tests.front().name)->value_name("TEST"),
                    help.c_str());
  const cli::Arguments arguments(
      {"depth",
       "NETWORK [--test TEST]",
       "Tells which causes of a network perfect tests could learn, after how many rounds of "
       "subtracting off, which ones never, and why. Of a linear network it tells whether the "
       "covariance determines it, and which causes prevent that.",
       "orrery depth img --test quartet",
       {"network"},
       {"output", "checkpoint"},
       nullptr,
       "",
       {{"test", names_of(tests)}}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const DepthTest& test = find_test(tests, arguments.text("test"));
  const std::string source = arguments.required("network");
  const family::AnyModel network = family::load_model(source, arguments.seed());
  if (arguments.dry_run()) {
    cli::print_plan(arguments, test.plan(network, source));
    return;
  }
  report::Sheet sheet;
  sheet.section("", "").data("test", test.name);
  test.run(network, source, sheet);
  cli::print_sheet(arguments, sheet);
}

}  // namespace orrery::commands
