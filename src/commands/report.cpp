// orrery report MODEL -o FILE.html
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"

namespace orrery::commands {

namespace po = boost::program_options;
using family::Family;

void run_report(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::report);
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "drawn beside the learned model")(
      "title", po::value<std::string>()->value_name("TEXT"), "of the page")(
      "output,o", po::value<std::string>()->value_name("FILE"), "the page, HTML");
  of_families.add_to(own);
  const cli::Arguments arguments(
      {"report",
       "MODEL [--truth NETWORK] [--data DATA [--train DATA]] [--grid 8x8] -o FILE.html",
       "Draws a model as one self-contained HTML page." + of_families.help(),
       "orrery report model.h5 --truth img --grid 8x8 -o report.html",
       {"model"},
       {"output"},
       family::is_generator},
      own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("model");
  const family::AnyModel model = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.report.run) family::refuse_command(model, source, "report");
  of_families.refuse_others(arguments, model, source);
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(arguments, family.report.plan(model, arguments));
    return;
  }
  const std::string output = arguments.output();
  const std::string page = family.report.run(model, arguments, team);
  if (!team.is_root()) return;
  write_text_file(output, page);
  const family::Size size = family.size(model);
  cli::print_done(
      arguments, {{"output", output}, {"bytes", page.size()}},
      fmt::format("{} {} and {} edges drawn; open {} in a browser", format_count(size.nodes),
                  size.kind, format_count(size.edges), output));
}

}  // namespace orrery::commands
