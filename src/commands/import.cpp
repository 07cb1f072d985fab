// orrery import FILE -o FILE: bits, or a table of categories or of numbers.
#include "orrery/data/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "data/import_tables.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

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

/// --categorical. As the next: reads `input` and writes the table to `output`, which both have been
/// checked.
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

/// --numeric.
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

data::Header parse_header(const std::string& text) {
  if (text == "auto") return data::Header::automatic;
  if (text == "yes") return data::Header::yes;
  if (text == "no") return data::Header::no;
  throw UsageError(fmt::format("--header {}: must be auto, yes or no", text));
}

data::ImportOptions import_options(const cli::Arguments& arguments) {
  data::ImportOptions options;
  const auto format = arguments.get<std::string>("format");
  if (format != "auto") options.format = data::parse_format(format);
  options.header = parse_header(arguments.get<std::string>("header"));
  if (arguments.has("missing")) {
    options.missing_tokens = arguments.get<std::vector<std::string>>("missing");
  }
  if (arguments.has("on")) options.on_tokens = arguments.get<std::vector<std::string>>("on");
  if (arguments.has("off")) options.off_tokens = arguments.get<std::vector<std::string>>("off");
  if (arguments.has("drop")) {
    options.drop_columns = arguments.get<std::vector<std::string>>("drop");
  }
  return options;
}

/// With one of them alone the built-in words go on to mean the other value: --on 2 of a column
/// coded 1/2 would make it constant.
void require_both(const cli::Arguments& arguments) {
  if (arguments.has("on") == arguments.has("off")) return;
  const bool has_on = arguments.has("on");
  throw UsageError(
      fmt::format("--{0}: needs --{1} beside it; name with --{1} VALUE what means {2} (--{1} {2} "
                  "if that is how it is written)",
                  has_on ? "on" : "off", has_on ? "off" : "on", has_on ? 0 : 1));
}

/// One block of bits, twice (values and mask), and the text buffer. Numbers take less.
/// Of categories all are held, twice while they are checked; a value takes two bytes of text.
learning::Plan make_plan(const std::string& input, bool categorical) {
  require_readable_file(input);
  const auto bytes = static_cast<double>(cli::bytes_of_file(input));
  return {80e6 + (categorical ? bytes : 0), static_cast<std::uint64_t>(bytes), "bytes to read"};
}

void print_summary(const cli::Arguments& arguments, const data::ImportSummary& summary,
                   const std::string& output) {
  const auto ones = std::accumulate(summary.ones.begin(), summary.ones.end(), std::uint64_t{0});
  const double values =
      static_cast<double>(summary.n_samples) * static_cast<double>(summary.names.size()) -
      static_cast<double>(summary.n_missing);
  cli::print_done(
      arguments,
      {{"format", data::format_name(summary.format)},
       {"n_samples", summary.n_samples},
       {"n_observed", summary.names.size()},
       {"n_missing", summary.n_missing},
       {"output", output}},
      fmt::format("{} rows of {} variables read as {}, {:.3g} % ones, {} missing values; written "
                  "to {}",
                  format_count(summary.n_samples), summary.names.size(),
                  data::format_name(summary.format),
                  100 * static_cast<double>(ones) / std::max(values, 1.0),
                  format_count(summary.n_missing), output));
}

std::vector<std::string> constant_columns(const data::ImportSummary& summary) {
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < summary.names.size(); ++c) {
    const std::uint64_t seen = summary.n_samples - summary.missing[c];
    if (summary.ones[c] == 0 || summary.ones[c] == seen) constant.push_back(summary.names[c]);
  }
  return constant;
}

void import_bits(const cli::Arguments& arguments, const data::ImportOptions& options,
                 const std::string& input, const std::string& output, const parallel::Team& team) {
  const Progress clock("total", 0, "");
  store::SampleWriter writer(output);
  const data::ImportSummary summary = data::import_samples(input, options, writer);
  store::RunInfo run = arguments.run_info(team);
  run.stages = {{"total", clock.seconds()}};
  run.bytes_read = cli::bytes_of_file(input);
  writer.finish(run);
  cli::warn_of_constants(constant_columns(summary), summary.names.size(), input);
  print_summary(arguments, summary, output);
}

std::vector<family::NetworkImport> network_imports() {
  std::vector<family::NetworkImport> imports;
  for (const family::Family* family : family::families()) {
    imports.insert(imports.end(), family->imports.begin(), family->imports.end());
  }
  return imports;
}

/// Throws UsageError if an option of networks was given for samples.
void refuse_network_options(const cli::Arguments& arguments,
                            const std::vector<family::NetworkImport>& networks) {
  for (const family::NetworkImport& network : networks) {
    po::options_description own;
    network.add_options(own);
    for (const auto& option : own.options()) {
      if (!arguments.has(option->long_name())) continue;
      throw UsageError(fmt::format("--{} is for networks: it needs --format {}",
                                   option->long_name(), network.format));
    }
  }
}

}  // namespace

void run_import(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<family::NetworkImport> networks = network_imports();
  std::string format_help =
      "auto, csv, tsv, rows (0/1 characters), mtx (MatrixMarket coordinate), npy";
  for (const family::NetworkImport& network : networks) {
    format_help += fmt::format("; or {}: {}", network.format, network.help);
  }
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                    "the samples, HDF5; or a network, JSON")(
      "format", po::value<std::string>()->default_value("auto")->value_name("FORMAT"),
      format_help.c_str())("header",
                           po::value<std::string>()->default_value("auto")->value_name("HOW"),
                           "does the first line of CSV or TSV hold names? auto, yes or no")(
      "missing", po::value<std::vector<std::string>>()->composing()->value_name("TOKEN"),
      "another text that stands for a missing value, as ?, NA, NaN, null, a full stop and an empty "
      "field always do; may be repeated")(
      "on", po::value<std::vector<std::string>>()->composing()->value_name("VALUE"),
      "csv, tsv: a value that counts as 1, such as male or 2; may be repeated; needs --off")(
      "off", po::value<std::vector<std::string>>()->composing()->value_name("VALUE"),
      "csv, tsv: a value that counts as 0; needs --on. Where one of them gives a usual value "
      "another meaning, as --off 1 does, then 0, 1, yes, no and the like count only if they are "
      "named too")("numeric", po::bool_switch(), "columns hold numbers, not bits: csv, tsv or npy")(
      "categorical", po::bool_switch(),
      "columns hold categories, each up to 64, found in the table: csv or tsv with names in the "
      "first line")(
      "categories", po::value<std::string>()->value_name("LIST|FILE"),
      "with --categorical: the categories of all columns, in order, such as "
      "negative,low,medium,high; or a CSV file of lines column,category,category,...")(
      "drop", po::value<std::vector<std::string>>()->composing()->value_name("NAME"),
      "leave a column out; may be repeated");
  for (const family::NetworkImport& network : networks) network.add_options(own);
  const cli::Arguments arguments(
      {"import",
       "FILE -o FILE",
       "Reads a table with one row per sample: binary variables, numbers (--numeric) or categories "
       "(--categorical). Memory stays bounded, but for categories, which take one byte per value. "
       "With --format edges it reads a network. Files may be compressed (.gz).",
       "orrery import patients.csv --drop patient_id -o patients.h5",
       {"file"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const auto numeric = arguments.get<bool>("numeric");
  const auto categorical = arguments.get<bool>("categorical");
  if (numeric && categorical) {
    throw UsageError(
        "--numeric and --categorical: the columns hold numbers, or categories; leave "
        "one of them out");
  }
  if ((arguments.has("on") || arguments.has("off")) && (numeric || categorical)) {
    throw UsageError(
        fmt::format("--on, --off: are for columns of bits, not for --{}; leave them out",
                    numeric ? "numeric" : "categorical"));
  }
  require_both(arguments);
  if (arguments.has("categories") && !categorical) {
    throw UsageError("--categories: is for --categorical; add it, or leave this out");
  }
  const std::string format = arguments.text("format");
  const auto network = std::ranges::find(networks, format, &family::NetworkImport::format);
  if (network != networks.end()) {
    if (numeric || categorical) {
      throw UsageError(
          fmt::format("--{}: is for samples, not for --format {}; leave one of them out",
                      numeric ? "numeric" : "categorical", format));
    }
    network->run(arguments, parse_header(arguments.text("header")));
    return;
  }
  refuse_network_options(arguments, networks);
  const data::ImportOptions options = import_options(arguments);
  const std::string input = arguments.required("file");
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(input, categorical));
    return;
  }
  const std::string output = arguments.output();
  require_readable_file(input);
  const auto read_into = categorical ? import_categories : numeric ? import_numbers : import_bits;
  read_into(arguments, options, input, output, team);
}

}  // namespace orrery::commands
