// orrery cat DATA... -o FILE: the rows of several files in one.
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/stored_rows.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::commands {

namespace po = boost::program_options;

void run_cat(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                    "all rows, HDF5, in the order of the files");
  const cli::Arguments arguments({"cat",
                                  "DATA... -o FILE",
                                  "Puts the rows of several files of samples one after the other "
                                  "into one. The files have the same columns, in any order; the "
                                  "first one's is kept.",
                                  "orrery cat january.h5 february.h5 -o both.h5",
                                  {"data"},
                                  {"output"},
                                  nullptr,
                                  "more-files"},
                                 own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  std::vector<std::string> inputs{arguments.required("data")};
  if (arguments.has("more-files")) {
    const auto more = arguments.get<std::vector<std::string>>("more-files");
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  const learning::Input kind = kind_of_rows(inputs.front());
  std::uint64_t n_rows = 0;
  std::uint64_t bytes = 0;
  for (const std::string& input : inputs) {
    n_rows += count_rows(input);
    bytes += cli::bytes_of_file(input);
  }
  if (arguments.dry_run()) {
    const bool held = kind == learning::Input::categories;
    cli::print_plan(arguments,
                    {150e6 + (held ? 3.0 * static_cast<double>(bytes) : 0), n_rows, "rows"});
    return;
  }
  const std::string output = arguments.output();
  const Progress clock("total", 0, "");
  const auto file = open_rows_file(output, kind);
  for (const std::string& input : inputs) file->add(input);
  store::RunInfo run = arguments.run_info(team);
  run.stages = {{"total", clock.seconds()}};
  run.bytes_read = store::bytes_read();
  file->finish(run);
  cli::print_done(arguments,
                  {{"n_samples", file->n_rows()},
                   {"n_observed", file->n_columns()},
                   {"n_files", inputs.size()},
                   {"output", output}},
                  fmt::format("{} rows of {} variables from {} file{}; written to {}",
                              format_count(file->n_rows()), file->n_columns(), inputs.size(),
                              inputs.size() == 1 ? "" : "s", output));
}

}  // namespace orrery::commands
