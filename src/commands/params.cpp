// orrery params DATA --structure NETWORK -o FILE
#include <boost/program_options/options_description.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "commands/commands.hpp"
#include "family/model_run.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"

namespace orrery::commands {

namespace po = boost::program_options;
using family::Family;

void run_params(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("structure", po::value<std::string>()->value_name("NETWORK"),
                    "the known edges: a network file or generator; its probabilities are not used");
  family::add_model_options(own);
  family::add_checkpoint_options(own);
  const cli::Arguments arguments(
      {"params",
       "DATA --structure NETWORK -o FILE",
       "Learns the probabilities of a network whose edges are known: priors, failures and leaks of "
       "a noisy-OR network (Halpern & Sontag 2013).",
       "orrery params data.h5 --structure img -o model.h5",
       {"data"},
       {"output", "checkpoint"},
       family::is_generator},
      own, line, team);
  if (arguments.helped()) return;
  (void)family::moment_inputs(arguments);
  const std::string source = arguments.required("structure");
  const family::AnyModel structure = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(structure);
  if (!family.params) {
    family::refuse_command(structure, source, "params");
  }
  family.params(structure, arguments, team);
}

}  // namespace orrery::commands
