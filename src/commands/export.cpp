// orrery export MODEL|DATA --format FORMAT -o FILE: a network in the format of another tool, or
// rows as CSV or NPY, for programs that misread packed bits, or HDF5 altogether.
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "data/row_writers.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::commands {

namespace po = boost::program_options;

namespace {

/// Bytes of a block of bits and its mask, and of the text beside it.
constexpr double most_of_bits = 70e6;

/// Rows as text, whose bytes are counted: into a file, or to standard output ("-").
class RowsOutput {
 public:
  explicit RowsOutput(const std::string& path)
      : is_file_(path != "-"), output_(is_file_ ? path : "") {}
  data::PieceSink sink() {
    return [this](std::string_view piece) {
      n_bytes_ += piece.size();
      output_.write(piece);
    };
  }
  void finish() { output_.finish(); }
  [[nodiscard]] bool is_file() const noexcept { return is_file_; }
  [[nodiscard]] std::uint64_t n_bytes() const noexcept { return n_bytes_; }

 private:
  bool is_file_;
  cli::TextOutput output_;
  std::uint64_t n_bytes_ = 0;
};

/// What is asked for, and the size of what there is.
struct RowsExport {
  const cli::Arguments& arguments;
  const std::string& source;
  bool as_npy;
  std::uint64_t n_rows = 0;
  std::size_t n_columns = 0;

  /// --dry-run: true if it was asked for, and said.
  [[nodiscard]] bool is_planned(double memory) const {
    if (!arguments.dry_run()) return false;
    cli::print_plan(arguments, {memory, n_rows, "rows"});
    return true;
  }
  void print(const RowsOutput& output) const {
    if (!output.is_file()) return;
    cli::print_done(arguments,
                    {{"output", arguments.output()},
                     {"bytes", output.n_bytes()},
                     {"n_samples", n_rows},
                     {"n_observed", n_columns}},
                    fmt::format("{} rows of {} variables written to {}", n_rows, n_columns,
                                arguments.output()));
  }
};

/// CSV alone: NPY has no names, and `import` none to mistake.
void warn_of_header(const std::string& source, const std::vector<std::string>& names,
                    data::RowKind kind) {
  if (data::is_plain_header(names, kind)) return;
  log::warning(
      "{}: names of its columns look like values; `orrery import` of the CSV needs --header yes",
      source);
}

void export_bits(RowsExport rows) {
  const store::SampleReader reader(rows.source);
  const store::SampleHeader& header = reader.header();
  rows.n_rows = header.n_samples;
  rows.n_columns = header.n_observed;
  if (rows.is_planned(most_of_bits)) return;
  if (!rows.as_npy) warn_of_header(rows.source, reader.names(), data::RowKind::bits);
  RowsOutput output(rows.arguments.output());
  std::optional<data::CsvRows> csv;
  std::optional<data::NpyRows> npy;
  if (rows.as_npy) {
    using Item = data::NpyRows::Item;
    npy.emplace(header.has_missing ? Item::bit_or_missing : Item::bit, rows.n_rows, rows.n_columns,
                output.sink());
  } else {
    csv.emplace(reader.names(), output.sink(), store::read_row_names(rows.source));
  }
  Progress progress("export", rows.n_rows, "rows");
  for (std::size_t i = 0; i < reader.n_blocks(); ++i) {
    const store::SampleReader::Block block = reader.read(i);
    const data::BitColumns* missing = block.missing ? &*block.missing : nullptr;
    if (npy) npy->append(block.values, missing);
    if (csv) csv->append(block.values, missing);
    progress.advance(reader.rows_of(i));
  }
  if (csv) csv->finish();
  output.finish();
  rows.print(output);
  if (npy && header.has_missing) {
    log::info("{}: a missing value is -1; `orrery import --missing=-1` reads it so", rows.source);
  }
}

void export_numbers(RowsExport rows) {
  const store::DenseReader reader(rows.source);
  rows.n_rows = reader.header().n_samples;
  rows.n_columns = reader.names().size();
  if (rows.is_planned(8e6)) return;
  if (!rows.as_npy) warn_of_header(rows.source, reader.names(), data::RowKind::numbers);
  RowsOutput output(rows.arguments.output());
  Progress progress("export", rows.n_rows, "rows");
  const auto write_all = [&](auto& writer) {
    reader.visit(0, rows.n_rows, [&](const double* values, std::size_t n_rows) {
      writer.append(values, n_rows);
      progress.advance(n_rows);
    });
  };
  if (rows.as_npy) {
    data::NpyRows npy(data::NpyRows::Item::number, rows.n_rows, rows.n_columns, output.sink());
    write_all(npy);
  } else {
    data::CsvRows csv(reader.names(), output.sink(), store::read_row_names(rows.source));
    write_all(csv);
    csv.finish();
  }
  output.finish();
  rows.print(output);
}

void warn_of_missing_words(const std::string& source, const data::CategoricalTable& table) {
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    for (const std::string& category : table.categories[c]) {
      if (!data::reads_as_missing(category)) continue;
      log::warning(
          "{}: category '{}' of column '{}' means a missing value to `orrery import` and others "
          "that read the CSV; rename it",
          source, category, table.names[c]);
      return;
    }
  }
}

void export_categories(RowsExport rows) {
  if (rows.as_npy) {
    throw InputError(fmt::format(
        "{}: holds categories, whose names an array (--format npy) cannot hold; write them with "
        "--format csv",
        rows.source));
  }
  const data::CategoricalTable table = store::read_categorical(rows.source).table;
  rows.n_rows = table.n_rows;
  rows.n_columns = table.n_columns();
  if (rows.is_planned(static_cast<double>(table.codes.size()) + 4e6)) return;
  warn_of_missing_words(rows.source, table);
  RowsOutput output(rows.arguments.output());
  data::CsvRows csv(table.names, output.sink(), store::read_row_names(rows.source));
  csv.append(table);
  csv.finish();
  output.finish();
  rows.print(output);
}

std::optional<store::FileContents> contents_of(const std::string& source) {
  const std::string file = family::model_file(source);
  if (file.empty() || file != source || !store::is_hdf5(file)) return std::nullopt;
  return store::inspect(file);
}

bool has_rows(const store::FileContents& file) {
  return file.has("samples") || file.has("dense") || file.has("categorical");
}

/// A file of samples that holds no network.
bool holds_rows_alone(const std::string& source) {
  const auto file = contents_of(source);
  return file && has_rows(*file) && !family::holds_model(*file);
}

/// A file of samples that holds a network as well.
bool holds_rows_too(const std::string& source) {
  const auto file = contents_of(source);
  return file && has_rows(*file) && family::holds_model(*file);
}

/// Writes the samples of `source` to -o ("-": standard output), a block of rows at a time; the
/// table of categories alone is held, a byte per value. `format`: csv, or npy (bits without missing
/// values, and numbers). Throws InputError if there are no samples, or they do not fit the format.
void export_rows(const cli::Arguments& arguments, const std::string& source,
                 const std::string& format) {
  require_readable_file(source);
  const store::FileContents file = store::inspect(source);
  if (!has_rows(file)) {
    throw InputError(fmt::format(
        "{}: holds no samples, so there are no rows to write; give a file that `orrery import` or "
        "`orrery sample` wrote",
        source));
  }
  const auto write = file.has("samples") ? export_bits
                     : file.has("dense") ? export_numbers
                                         : export_categories;
  write({arguments, source, format == "npy"});
}

void write_to(const cli::Arguments& arguments, const std::string& output, const std::string& text,
              const std::string& what) {
  if (output == "-") {
    std::cout << text;
    return;
  }
  write_text_file(output, text);
  cli::print_done(arguments, {{"output", output}, {"bytes", text.size()}},
                  fmt::format("{} written to {}", what, output));
}

/// --min-strength, if it was given.
std::optional<double> min_strength(const cli::Arguments& arguments) {
  if (!arguments.has("min-strength")) return std::nullopt;
  const auto least = arguments.get<double>("min-strength");
  if (least >= 0 && std::isfinite(least)) return least;
  throw UsageError(fmt::format("--min-strength {}: must be a number of 0 or more", least));
}

/// Both texts are there before the first file is written.
void export_model(const cli::Arguments& arguments, const family::AnyModel& model,
                  const std::string& format) {
  const family::Size size = family::family_of(model).size(model);
  const std::string output = arguments.output();
  const std::optional<double> least = min_strength(arguments);
  const family::Written written = family::write_as(model, format, least);
  const std::string names = arguments.text("names");
  if (!names.empty()) {
    const std::string table = family::names_written_as(model, format);
    if (output != "-") OutputFile probe(output);
    write_text_file(names, table);
  }
  write_to(arguments, output, written.text,
           fmt::format("{} {} and {} edges{}", size.nodes, size.kind, size.edges,
                       least ? fmt::format(", without those weaker than {},", *least) : ""));
  if (!written.note.empty()) log::info("{}", written.note);
}

/// Throws UsageError for an option that is for networks.
void refuse_network_options(const cli::Arguments& arguments) {
  for (const char* option : {"min-strength", "names"}) {
    if (!arguments.has(option)) continue;
    throw UsageError(
        fmt::format("--{} is of no use here: rows of samples are written, and not a network; leave "
                    "it out",
                    option));
  }
}

/// Samples, and not a network: --rows, a format that only rows have, or CSV of a file without one.
bool wants_rows(const cli::Arguments& arguments, const std::string& source,
                const std::string& format) {
  const bool asked = arguments.get<bool>("rows");
  if (asked && format != "csv" && format != "npy" && format != "rows") {
    throw UsageError(fmt::format(
        "--rows: samples are written as csv or npy, not as {}; change --format", format));
  }
  return asked || format == "npy" || format == "rows" ||
         (format == "csv" && holds_rows_alone(source));
}

po::options_description export_options() {
  po::options_description own("Options");
  const std::string format_help = fmt::format(
      "of a network json, {}; of samples csv or npy (rows means csv)", family::format_help());
  own.add_options()("format", po::value<std::string>()->value_name("FORMAT"), format_help.c_str())(
      "rows", po::bool_switch(),
      "the samples of a file that holds a network as well, of which csv is the network else")(
      "min-strength", po::value<double>()->value_name("X"),
      "dot, graphml and csv of edges: leave out weaker edges, and nodes that have no others, so "
      "that a large network can be drawn. Strength is 1 - failure, or the size of a correlation or "
      "a "
      "coefficient, or the most by which a cause changes the probability of some categories")(
      "names", po::value<std::string>()->value_name("FILE"),
      "bif, xmlbif and uai: a CSV of how each name and state is written, "
      "name,state,written_name,written_state")(
      "output,o", po::value<std::string>()->value_name("FILE"), "where to; - is standard output");
  return own;
}

}  // namespace

void run_export(const cli::CommandLine& line, const parallel::Team& team) {
  const cli::Arguments arguments(
      {"export",
       "MODEL|DATA --format json|csv|dot|graphml|bif|xmlbif|uai|anchors|npy -o FILE",
       "Writes a model, or the rows of a data file, in the format of another tool. MODEL is a "
       "model file, of a network or of a tree, or any NETWORK; DATA holds samples: bits and "
       "numbers as csv or npy, categories as csv, a missing value as an empty field (npy: -1 of "
       "bits, NaN of numbers).",
       "orrery export model.h5 --format json -o model.json\n"
       "orrery export data.h5 --rows --format csv -o data.csv",
       {"model"},
       {"output", "names"},
       family::is_generator},
      export_options(), line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const std::string format = arguments.required("format");
  if (wants_rows(arguments, source, format)) {
    refuse_network_options(arguments);
    export_rows(arguments, source, format);
    return;
  }
  const family::AnyModel model = family::load_model(source, arguments.seed());
  if (arguments.dry_run()) {
    const std::size_t n_edges = family::family_of(model).size(model).edges;
    cli::print_plan(arguments, {200 * static_cast<double>(n_edges) + 1e6, n_edges, "edges"});
    return;
  }
  export_model(arguments, model, format);
  if (format == "csv" && holds_rows_too(source)) {
    log::info("{}: holds samples as well; --rows writes these", source);
  }
}

}  // namespace orrery::commands
