// orrery report MODEL -o FILE.html
#include <string>

#include "commands/commands.hpp"
#include "family/model_argument.hpp"
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
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const family::AnyModel model = family::load_model(source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.report.run) family::refuse_command(model, source, "report");
  of_families.refuse_others(arguments, model, source);
  family.report.run(model, arguments);
}

}  // namespace orrery::commands
