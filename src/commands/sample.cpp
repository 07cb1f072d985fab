// orrery sample --network NETWORK --samples N -o FILE
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {

namespace po = boost::program_options;
using family::Family;

void run_sample(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::sample);
  const std::string network_help =
      fmt::format("what to sample: {}, or a model file (FILE:NAME for one of several networks)",
                  family::generator_help());
  po::options_description own("Options");
  own.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                    network_help.c_str());
  of_families.add_to(own);
  own.add_options()("samples", po::value<std::uint64_t>()->value_name("N"), "number of rows")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the samples, HDF5, with the network that they were drawn from beside them");
  const cli::Arguments arguments(
      {"sample",
       "--network NETWORK --samples N -o FILE",
       "Draws samples of a network. A row depends on the seed and its number alone." +
           of_families.help(),
       "orrery sample --network img --samples 1e4 --seed 3 -o data.h5\n"
       "orrery sample --network img --samples 1e3 --seed 4 -o heldout.h5",
       {},
       {"output", "labels"},
       family::is_generator},
      own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("network");
  const family::AnyModel model = family::load_model(team, source, arguments.seed(), &arguments);
  const family::Family& family = family::family_of(model);
  if (!family.sample.run) family::refuse_command(model, source, "sample");
  of_families.refuse_others(arguments, model, source);
  if (family.variables(model).empty()) {
    throw InputError(
        fmt::format("{}: the network has no observed variable; there is nothing to draw", source));
  }
  family.sample.run(model, arguments, team);
}

}  // namespace orrery::commands
