// orrery infer MODEL DATA -o FILE
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "commands/commands.hpp"
#include "commands/table_on_the_way.hpp"
#include "family/answers.hpp"
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

/// --explain takes the number of a row or nothing, and Program_options would take a number behind
/// it for a file.
cli::CommandLine with_explained_row(const cli::CommandLine& line) {
  cli::CommandLine joined{{}, line.full};
  for (const std::string& word : line.words) {
    const bool is_number =
        !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && !joined.words.empty() && joined.words.back() == "--explain") {
      joined.words.back() += "=" + word;
    } else {
      joined.words.push_back(word);
    }
  }
  return joined;
}

}  // namespace

void run_infer(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::infer);
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                    "evidence, posteriors and explanations: HDF5, or CSV or JSON where the name "
                    "ends in .csv or .json; without it the first 10 rows are shown on the screen");
  of_families.add_to(own);
  family::add_checkpoint_options(own);
  cli::Arguments arguments(
      {"infer",
       "MODEL DATA|--given NAME=VALUE,... [-o FILE]",
       "Which hidden causes are behind each row, or behind one that the command line tells." +
           of_families.help(),
       "orrery infer model.h5 data.h5 --top 3 -o posterior.h5\n"
       "orrery infer model.h5 data.h5 -o posterior.csv\n"
       "orrery infer model.h5 data.h5 --explain\n"
       "orrery infer patients_model.h5 patients.csv -o posterior.csv\n"
       "orrery infer patients_model.h5 --given fever=1,cough=0 --explain",
       {"model", "data"},
       {"output", "checkpoint"},
       family::is_generator},
      own, with_explained_row(line), team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("model");
  const family::AnyModel model = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.infer.run) family::refuse_command(model, source, "infer");
  of_families.refuse_others(arguments, model, source);
  if (!arguments.has("given")) (void)arguments.required("data");
  const TableOnTheWay table(arguments, "data", model, team);
  const auto open_batches = [&](const parallel::Team& by) {
    const auto given = of_families.values(arguments, family);
    auto depends_on = family::without_format(arguments, given);
    depends_on.push_back(family::identity_of("MODEL", model));
    depends_on.emplace_back("--seed", arguments.shown("seed"));
    return family::KeptBatches(
        by, family::open_checkpoints(arguments, by, {arguments.text("data"), ""}, family.input,
                                     "infer", depends_on, named_files(given)));
  };
  family.infer.run(model, arguments, team, open_batches);
}

}  // namespace orrery::commands
