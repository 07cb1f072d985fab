#include "commands/import_categorical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "data/import_categorical.hpp"
#include "store/categorical.hpp"

namespace orrery::commands {
namespace {

/// Columns whose values, those that are there, are all the same: categories were given for them.
std::vector<std::string> constant_columns(const data::CategoricalTable& table) {
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    std::vector<bool> seen(table.categories[c].size(), false);
    for (std::uint64_t n = 0; n < table.n_rows; ++n) {
      const std::uint8_t code = table.row(n)[c];
      if (code != data::missing_code) seen[code] = true;
    }
    if (std::ranges::count(seen, true) < 2) constant.push_back(table.names[c]);
  }
  return constant;
}

}  // namespace

void import_categories(const cli::Arguments& arguments, const data::ImportOptions& options,
                       const std::string& input, const std::string& output,
                       const parallel::Team& team) {
  const Progress clock("total", 0, "");
  { OutputFile probe(output); }
  data::GivenCategories given;
  if (arguments.has("categories")) {
    given = data::parse_categories(arguments.text("categories"));
  }
  const data::CategoricalImport found = data::import_categorical(input, options, given);
  store::RunInfo run = arguments.run_info(team);
  run.stages = {{"total", clock.seconds()}};
  run.bytes_read = cli::bytes_of_file(input);
  store::write_categorical(output, found.table, run);
  cli::warn_of_constants(constant_columns(found.table), found.table.names.size(), input);
  const auto [least, most] = std::ranges::minmax(
      found.table.categories, {}, [](const auto& categories) { return categories.size(); });
  cli::print_done(
      arguments,
      {{"format", data::format_name(found.format)},
       {"n_samples", found.table.n_rows},
       {"n_observed", found.table.n_columns()},
       {"n_missing", found.n_missing},
       {"output", output}},
      fmt::format("{} rows of {} variables with {} categories read as {}, {} missing values; "
                  "written to {}",
                  format_count(found.table.n_rows), found.table.n_columns(),
                  least.size() == most.size() ? fmt::format("{}", most.size())
                                              : fmt::format("{} to {}", least.size(), most.size()),
                  data::format_name(found.format), format_count(found.n_missing), output));
}

}  // namespace orrery::commands
