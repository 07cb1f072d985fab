#include "commands/import_dense.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "data/import_dense.hpp"
#include "store/dense.hpp"

namespace orrery::commands {

void import_numbers(const cli::Arguments& arguments, const data::ImportOptions& options,
                    const std::string& input, const std::string& output,
                    const parallel::Team& team) {
  const Progress clock("total", 0, "");
  store::DenseWriter writer(output);
  const data::DenseImportSummary summary = data::import_dense(input, options, writer);
  store::RunInfo run = arguments.run_info(team);
  run.stages = {{"total", clock.seconds()}};
  run.bytes_read = cli::bytes_of_file(input);
  writer.finish(run);
  std::vector<std::string> constant;
  const store::DenseReader stored(output);
  for (std::size_t c = 0; c < summary.names.size(); ++c) {
    if (stored.columns()[c].min == stored.columns()[c].max) constant.push_back(summary.names[c]);
  }
  cli::warn_of_constants(constant, summary.names.size(), input);
  cli::print_done(
      arguments,
      {{"format", data::format_name(summary.format)},
       {"n_samples", summary.n_samples},
       {"n_observed", summary.names.size()},
       {"n_missing", summary.n_missing},
       {"output", output}},
      fmt::format("{} rows of {} numbers read as {}, {} missing values; written to {}",
                  format_count(summary.n_samples), summary.names.size(),
                  data::format_name(summary.format), format_count(summary.n_missing), output));
}

}  // namespace orrery::commands
