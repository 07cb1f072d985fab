// orrery infer MODEL DATA -o FILE
#include <fmt/format.h>

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "family/matched_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using family::Family;

/// Lists of names that are in a file, by the options that name them.
std::vector<learning::OptionFile> named_files(
    const std::vector<std::pair<std::string, std::string>>& options) {
  std::vector<learning::OptionFile> files;
  for (const auto& [option, value] : options) {
    if (value.starts_with('@')) files.push_back({option, value.substr(1)});
  }
  return files;
}

}  // namespace

void run_infer(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::infer);
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                    "evidence, posteriors and explanations, HDF5; up to 10 rows are shown on the "
                    "screen without it");
  of_families.add_to(own);
  family::add_checkpoint_options(own);
  const cli::Arguments arguments({"infer",
                                  "MODEL DATA -o FILE",
                                  "Which hidden causes are behind each row." + of_families.help(),
                                  "orrery infer model.h5 patients.h5 --top 3 -o posterior.h5",
                                  {"model", "data"},
                                  {"output", "checkpoint"},
                                  family::is_generator},
                                 own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("model");
  const std::string data = arguments.required("data");
  const family::AnyModel model = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.infer.run) family::refuse_command(model, source, "infer");
  of_families.refuse_others(arguments, model, source);
  const auto open_batches = [&](const parallel::Team& by) {
    const auto values = of_families.values(arguments, family);
    auto depends_on = values;
    depends_on.push_back(family::identity_of("MODEL", model));
    depends_on.emplace_back("--seed", arguments.shown("seed"));
    return family::KeptBatches(
        by, family::open_checkpoints(arguments, by, {data, ""}, family.input, "infer", depends_on,
                                     named_files(values)));
  };
  family.infer.run(model, arguments, team, open_batches);
}

}  // namespace orrery::commands
