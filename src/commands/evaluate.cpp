// orrery evaluate MODEL [--truth NETWORK] [--data DATA]
#include <boost/program_options/options_description.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"

namespace orrery::commands {

namespace po = boost::program_options;
using family::Family;

void run_evaluate(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::evaluate);
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "the true network: a file, a generator (with its --seed), or the data file it "
                    "was sampled to");
  of_families.add_to(own);
  const cli::Arguments arguments(
      {"evaluate",
       "MODEL [--truth NETWORK] [--data DATA]",
       "Compares a model with a known truth and with data." + of_families.help(),
       "orrery evaluate model.h5 --truth img --data heldout.h5",
       {"model"}},
      own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("model");
  const family::AnyModel model = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.evaluate.run) family::refuse_command(model, source, "evaluate");
  of_families.refuse_others(arguments, model, source);
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(arguments, family.evaluate.plan(model, arguments));
    return;
  }
  report::Sheet sheet;
  family.evaluate.run(model, arguments, team, sheet);
  if (team.is_root()) cli::print_sheet(arguments, sheet);
}

}  // namespace orrery::commands
