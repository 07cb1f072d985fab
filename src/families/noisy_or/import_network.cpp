#include "families/noisy_or/import_network.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "family/table.hpp"
#include "model/network_tables.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;

constexpr const char* drawn = "qmr";

bool is_number(const std::string& text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

/// A number, a table's name, or "qmr". What is known of a network should be said, not assumed:
/// there is no default.
model::ParameterSource source_of(const cli::Arguments& arguments, const std::string& option,
                                 bool may_be_zero) {
  if (!arguments.has(option)) {
    throw UsageError(fmt::format(
        "--{} is missing; a network needs them: give a table, one value for all, or {} to draw "
        "them as the generator qmr does",
        option, drawn));
  }
  const std::string text = arguments.text(option);
  double value = 0;
  if (text == drawn) return {};
  if (!is_number(text, value)) return {{}, text};
  if (!(value >= 0 && value < 1) || (value == 0 && !may_be_zero)) {
    throw UsageError(fmt::format("--{} {}: must be {} and below 1", option, text,
                                 may_be_zero ? "0 or more" : "above 0"));
  }
  return {value, {}};
}

model::NetworkTables tables_of(const cli::Arguments& arguments, data::Header header) {
  for (const char* option : {"missing", "drop"}) {
    if (!arguments.has(option)) continue;
    throw UsageError(fmt::format("--{} is for samples, not for --format edges", option));
  }
  model::NetworkTables tables;
  tables.edges = arguments.required("file");
  tables.strength =
      model::parse_strength(arguments.has("strength") ? arguments.text("strength") : "probability");
  if (arguments.has("min-strength")) tables.min_strength = arguments.get<double>("min-strength");
  if (!(tables.min_strength >= 0)) {
    throw UsageError(fmt::format("--min-strength {}: must be 0 or more", tables.min_strength));
  }
  tables.header = header;
  tables.priors = source_of(arguments, "priors", false);
  tables.leaks = source_of(arguments, "leaks", true);
  tables.seed = arguments.seed();
  return tables;
}

std::string describe(const model::ImportedNetwork& imported, const std::string& output) {
  const model::NoisyOrNetwork& network = imported.network;
  std::string text = fmt::format(
      "{} causes, {} variables and {} edges written to {}", format_count(network.n_causes()),
      format_count(network.n_observed()), format_count(network.edges().size()), output);
  if (imported.edges_left_out == 0) return text;
  return text + fmt::format(
                    "; left out as too weak: {} edges, and with them {} causes and {} "
                    "variables",
                    format_count(imported.edges_left_out), format_count(imported.causes_left_out),
                    format_count(imported.observed_left_out));
}

}  // namespace

void add_network_import_options(po::options_description& options) {
  options.add_options()("priors", po::value<std::string>()->value_name("WHAT"),
                        "edges: a table (cause, prior), one value for all, or qmr: drawn by --seed "
                        "as the generator qmr does")(
      "leaks", po::value<std::string>()->value_name("WHAT"),
      "edges: the same for variables; a leak may be 0")(
      "strength", po::value<std::string>()->value_name("MEANING"),
      "edges: what the third column is: probability (the default), class (1 to 5 of QMR), or rank "
      "(any number; its rank becomes a class)")(
      "min-strength", po::value<double>()->value_name("X"), "edges: leave out those with less");
}

void import_network(const cli::Arguments& arguments, data::Header header) {
  const model::NetworkTables tables = tables_of(arguments, header);
  const std::string input = tables.edges.string();
  require_readable_file(input);
  if (arguments.dry_run()) {
    const auto bytes = static_cast<double>(cli::bytes_of_file(input));
    cli::print_plan(arguments, {2e7 + 20 * bytes, static_cast<std::uint64_t>(bytes),
                                "bytes to read", bytes / 10e6});
    return;
  }
  const std::string output = arguments.output();
  model::LearnedModel model;
  const model::ImportedNetwork imported = model::read_network_tables(tables);
  model.network = imported.network;
  write_text_file(output, family::to_json(model));
  cli::print_done(arguments,
                  {{"format", "edges"},
                   {"n_causes", model.network.n_causes()},
                   {"n_observed", model.network.n_observed()},
                   {"n_edges", model.network.edges().size()},
                   {"left_out",
                    {{"edges", imported.edges_left_out},
                     {"causes", imported.causes_left_out},
                     {"observed", imported.observed_left_out}}},
                   {"output", output}},
                  describe(imported, output));
}

}  // namespace orrery::noisy_or
