// orrery export MODEL|DATA --format FORMAT -o FILE
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/export_rows.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {

namespace po = boost::program_options;

namespace {

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

}  // namespace

void run_export(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  const std::string format_help = fmt::format(
      "of a network json, {}; of samples csv or npy (rows means csv)", family::format_help());
  own.add_options()("format", po::value<std::string>()->value_name("FORMAT"), format_help.c_str())(
      "rows", po::bool_switch(),
      "the samples of a file that holds a network as well, of which csv is the network else")(
      "output,o", po::value<std::string>()->value_name("FILE"), "where to; - is standard output");
  const cli::Arguments arguments(
      {"export",
       "MODEL|DATA --format json|csv|dot|graphml|bif|anchors|npy -o FILE",
       "Writes a model, or the rows of a data file, in the format of another tool. MODEL is a "
       "model file, of a network or of a tree, or any NETWORK; DATA holds samples: bits and "
       "numbers as csv or npy, categories as csv, a missing value as an empty field (npy of "
       "numbers: NaN).",
       "orrery export model.h5 --format json -o model.json",
       {"model"},
       {"output"},
       family::is_generator},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const std::string format = arguments.required("format");
  if (wants_rows(arguments, source, format)) {
    export_rows(arguments, source, format);
    return;
  }
  const family::AnyModel model = family::load_model(source, arguments.seed());
  const family::Size size = family::family_of(model).size(model);
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(size.edges);
    cli::print_plan(arguments, {200 * edges + 1e6, size.edges, "edges", edges * 1e-6});
    return;
  }
  const std::string output = arguments.output();
  write_to(arguments, output, family::written_as(model, format),
           fmt::format("{} {} and {} edges", size.nodes, size.kind, size.edges));
  if (format == "csv" && holds_rows_too(source)) {
    log::info("{}: holds samples as well; --rows writes these", source);
  }
}

}  // namespace orrery::commands
