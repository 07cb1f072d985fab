// orrery import FILE -o FILE: bits, or a table of categories or of numbers.
#include "orrery/data/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/table_import.hpp"
#include "commands/text_formats.hpp"
#include "data/dialect.hpp"
#include "data/import_tables.hpp"
#include "data/readers.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

data::Header parse_header(const std::string& text) {
  if (text == "auto") return data::Header::automatic;
  if (text == "yes") return data::Header::yes;
  if (text == "no") return data::Header::no;
  throw UsageError(fmt::format("--header {}: must be auto, yes or no", text));
}

using Words = std::vector<std::string>;

Words words(const cli::Arguments& arguments, const char* option) {
  return arguments.has(option) ? arguments.get<Words>(option) : Words();
}

data::ImportOptions import_options(const cli::Arguments& arguments) {
  data::ImportOptions options;
  const auto format = arguments.get<std::string>("format");
  if (format != "auto") options.format = data::parse_format(format);
  options.header = parse_header(arguments.get<std::string>("header"));
  options.missing_tokens = words(arguments, "missing");
  options.on_tokens = words(arguments, "on");
  options.off_tokens = words(arguments, "off");
  options.keep_columns = words(arguments, "keep");
  options.drop_columns = words(arguments, "drop");
  options.index = arguments.text("index");
  options.transpose = arguments.get<bool>("transpose");
  if (arguments.has("threshold")) options.threshold = arguments.get<double>("threshold");
  if (arguments.has("delimiter")) {
    options.delimiter = data::parse_delimiter(arguments.text("delimiter"));
  }
  if (arguments.has("dataset")) options.dataset = arguments.text("dataset");
  read_text_format_options(arguments, options);
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
learning::Plan make_plan(const TableImport& table) {
  double bytes = 0;
  for (const std::string& input : table.inputs) {
    if (input == "-") continue;
    require_readable_file(input);
    bytes += static_cast<double>(cli::bytes_of_file(input));
  }
  return {80e6 + (table.kind == learning::Input::categories ? bytes : 0) +
              most_held(table.options, bytes),
          static_cast<std::uint64_t>(bytes), "bytes to read"};
}

/// "12 rows of 3 variables read as csv, 40 % ones"
std::string describe(const TableImport& table, const ImportedTable& found) {
  const std::string rows =
      fmt::format("{} rows of {}", format_count(found.n_samples), found.n_observed);
  if (table.kind == learning::Input::numbers) {
    return fmt::format("{} numbers read as {}", rows, found.format);
  }
  if (table.kind == learning::Input::categories) {
    return fmt::format("{} variables with {} categories read as {}", rows,
                       found.least_categories == found.most_categories
                           ? fmt::format("{}", found.most_categories)
                           : fmt::format("{} to {}", found.least_categories, found.most_categories),
                       found.format);
  }
  const double values =
      static_cast<double>(found.n_samples) * static_cast<double>(found.n_observed) -
      static_cast<double>(found.n_missing);
  return fmt::format("{} variables read as {}, {:.3g} % ones", rows, found.format,
                     100 * static_cast<double>(found.n_ones) / std::max(values, 1.0));
}

void print_summary(const cli::Arguments& arguments, const TableImport& table,
                   const ImportedTable& found, const std::string& output) {
  nlohmann::json object = {{"format", found.format},
                           {"n_samples", found.n_samples},
                           {"n_observed", found.n_observed},
                           {"n_missing", found.n_missing},
                           {"output", output}};
  if (found.has_row_names) object["row_names"] = true;
  cli::print_done(arguments, object,
                  fmt::format("{}, {} missing values{}; written to {}", describe(table, found),
                              format_count(found.n_missing),
                              found.has_row_names ? ", row names kept apart" : "", output));
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

/// What --format may be.
std::vector<std::string> format_choices(const std::vector<family::NetworkImport>& networks) {
  std::vector<std::string> choices{"auto"};
  for (auto format = data::Format::csv; format <= data::Format::text;
       format = static_cast<data::Format>(static_cast<int>(format) + 1)) {
    choices.push_back(data::format_name(format));
  }
  for (const family::NetworkImport& network : networks) choices.push_back(network.format);
  return choices;
}

/// The options, but those of networks.
void add_options(po::options_description& own, const std::string& format_help) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto several = [](const char* name) {
    return po::value<Words>()->composing()->value_name(name);
  };
  own.add_options()("output,o", text("FILE"), "the samples, HDF5; or a network, JSON")(
      "format", text("FORMAT")->default_value("auto"), format_help.c_str())(
      "header", text("auto|yes|no")->default_value("auto"),
      "does the first line of CSV or TSV hold names? auto, yes or no")(
      "delimiter", text("CHARACTER"),
      "csv: what separates the cells: ',', ';', '|', tab or space; found out unless it is given. "
      "Between semicolons, commas are decimal")(
      "index", text("COLUMN"),
      "csv, tsv: the column that names the rows, kept apart from the variables; none if no column "
      "does. A first column without a name in the header does unless this says otherwise")(
      "missing", several("TOKEN"),
      "another text that stands for a missing value, as ?, NA, NaN, null, a full stop and an empty "
      "field always do; may be repeated")(
      "on", several("VALUE"),
      "csv, tsv: a value that counts as 1, such as male or 2; may be repeated; needs --off")(
      "off", several("VALUE"),
      "csv, tsv: a value that counts as 0; needs --on. Where one of them gives a usual value "
      "another meaning, as --off 1 does, then 0, 1, yes, no and the like count only if they are "
      "named too")("threshold", po::value<double>()->value_name("X"),
                   "a number above X counts as 1, any other number as 0")(
      "numeric", po::bool_switch(), "columns hold numbers, not bits")(
      "categorical", po::bool_switch(),
      "columns hold categories, each up to 64, found in the table: csv or tsv with names in the "
      "first line")(
      "categories", text("LIST|FILE"),
      "with --categorical: the categories of all columns, in order, such as "
      "negative,low,medium,high; or a CSV file of lines column,category,category,...")(
      "keep", several("NAME"),
      "import these columns alone: a name, or a pattern in which * stands for any characters and ? "
      "for one; may be repeated")("drop", several("NAME"),
                                  "leave a column out, or all of a pattern; may be repeated")(
      "dataset", text("NAME"),
      "npz: the array that is the table; hdf5: the path of the data set or of the sparse matrix, "
      "such as layers/counts")(
      "transpose", po::bool_switch(),
      "rows of the file are variables, and its columns samples: the table is turned round. Of CSV "
      "and TSV, 8 bytes per value are held in memory")(
      "like", text("MODEL"),
      "the variables of a model, in its order: other columns are left out, and a variable that is "
      "no column is missing in every row");
  add_text_format_options(own);
}

/// Throws UsageError for options that exclude each other.
void require_one_kind(const cli::Arguments& arguments) {
  const auto numeric = arguments.get<bool>("numeric");
  const auto categorical = arguments.get<bool>("categorical");
  if (numeric && categorical) {
    throw UsageError(
        "--numeric and --categorical: the columns hold numbers, or categories; leave "
        "one of them out");
  }
  for (const char* option : {"on", "off", "threshold"}) {
    if (!arguments.has(option) || !(numeric || categorical)) continue;
    const bool has_words = option != std::string_view("threshold");
    throw UsageError(fmt::format("{}: {} for columns of bits, not for --{}; leave {} out",
                                 has_words ? "--on, --off" : "--threshold",
                                 has_words ? "are" : "is", numeric ? "numeric" : "categorical",
                                 has_words ? "them" : "it"));
  }
  require_both(arguments);
  if (arguments.has("categories") && !categorical) {
    throw UsageError("--categories: is for --categorical; add it, or leave this out");
  }
}

constexpr std::array input_names{"bits", "numbers", "categories"};

/// What the command line asks for. --like decides what the columns hold.
TableImport read_request(const cli::Arguments& arguments) {
  TableImport table;
  table.inputs = {data::plink_file(arguments.required("file")).string()};
  if (arguments.has("more-files")) {
    const auto more = arguments.get<Words>("more-files");
    table.inputs.insert(table.inputs.end(), more.begin(), more.end());
  }
  table.options = import_options(arguments);
  const auto numeric = arguments.get<bool>("numeric");
  const auto categorical = arguments.get<bool>("categorical");
  table.kind = categorical ? learning::Input::categories
               : numeric   ? learning::Input::numbers
                           : learning::Input::bits;
  if (arguments.has("categories")) {
    table.given = data::parse_categories(arguments.text("categories"));
  }
  if (!arguments.has("like")) return table;
  if (arguments.has("categories")) {
    throw UsageError("--categories, --like: the model says the categories; leave --categories out");
  }
  const family::AnyModel model = family::load_model(arguments.text("like"), arguments.seed());
  const learning::Input kind = family::family_of(model).input;
  if ((numeric || categorical) && kind != table.kind) {
    throw UsageError(fmt::format("--{}, --like: {} is a model of {}; leave --{} out",
                                 numeric ? "numeric" : "categorical", arguments.text("like"),
                                 input_names[static_cast<std::size_t>(kind)],
                                 numeric ? "numeric" : "categorical"));
  }
  table.kind = kind;
  table.like = variables_of(model);
  return table;
}

}  // namespace

void run_import(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<family::NetworkImport> networks = network_imports();
  std::string format_help =
      "auto; csv, tsv, rows (0/1 characters), arff (Weka), svmlight (LIBSVM too), mtx "
      "(MatrixMarket coordinate), npy, ";
  if (data::reads_npz()) format_help += "npz (numpy.savez, scipy.sparse.save_npz), ";
  format_help +=
      "hdf5 (AnnData, or any table), plink (.bed, .bim, .fam, or their prefix), long (lines of a "
      "row and a variable), text (a document per line)";
  for (const family::NetworkImport& network : networks) {
    format_help += fmt::format("; or {}: {}", network.format, network.help);
  }
  po::options_description own("Options");
  add_options(own, format_help);
  for (const family::NetworkImport& network : networks) network.add_options(own);
  const cli::Arguments arguments(
      {"import",
       "FILE... -o FILE",
       "Reads a table with one row per sample: binary variables, numbers (--numeric) or categories "
       "(--categorical). Memory stays bounded, but for categories, which take one byte per value. "
       "With --format edges it reads a network. Files may be compressed (.gz); - is standard "
       "input. "
       "Several files of the same columns are put together.",
       "orrery import patients.csv --drop patient_id -o patients.h5\n"
       "orrery import numbers.csv --numeric -o numbers.h5\n"
       "orrery import answers.csv --categorical -o answers.h5",
       {"file"},
       {"output"},
       nullptr,
       "more-files",
       {{"format", format_choices(networks)}}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  require_one_kind(arguments);
  const std::string format = arguments.text("format");
  const auto network = std::ranges::find(networks, format, &family::NetworkImport::format);
  if (network != networks.end()) {
    for (const char* kind : {"numeric", "categorical"}) {
      if (!arguments.get<bool>(kind)) continue;
      throw UsageError(fmt::format(
          "--{}: is for samples, not for --format {}; leave one of them out", kind, format));
    }
    if (arguments.has("more-files")) {
      throw UsageError(fmt::format("--format {}: a network is in one file; give one", format));
    }
    network->run(arguments, parse_header(arguments.text("header")));
    return;
  }
  refuse_network_options(arguments, networks);
  const TableImport table = read_request(arguments);
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(table));
    return;
  }
  const std::string output = arguments.output();
  for (const std::string& input : table.inputs) {
    if (input != "-") require_readable_file(input);
  }
  const ImportedTable found = import_tables(table, output, arguments.run_info(team));
  cli::warn_of_constants(found.constant, found.n_observed, table.inputs.front());
  print_summary(arguments, table, found, output);
}

}  // namespace orrery::commands
