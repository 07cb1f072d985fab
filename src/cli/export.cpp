// orrery export MODEL --format FORMAT -o FILE
#include "orrery/report/export.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/store/categorical.hpp"

namespace orrery::cli {

namespace po = boost::program_options;

namespace {

struct Size {
  std::size_t nodes;
  const char* kind;  // of nodes
  std::size_t edges;
};
Size size_of(const model::LearnedModel& model) {
  return {model.network.n_causes(), "causes", model.network.edges().size()};
}
Size size_of(const model::LearnedTree& model) {
  return {model.tree.n_variables(), "variables", model.tree.edges().size()};
}
Size size_of(const model::LearnedLinear& model) {
  return {model.network.n_causes(), "causes", model.network.n_edges()};
}
Size size_of(const model::LearnedAnchored& model) {
  return {model.network.n_causes(), "causes",
          model.network.loadings().edges().size() + model.network.causes().n_edges()};
}

Size size_of(const model::LearnedCategorical& model) {
  return {model.network.n_causes(), "causes", model.network.n_edges()};
}

void write_to(const Arguments& arguments, const std::string& output, const std::string& text,
              const std::string& what) {
  if (output == "-") {
    std::cout << text;
    return;
  }
  write_text_file(output, text);
  print_done(arguments, {{"output", output}, {"bytes", text.size()}},
             fmt::format("{} written to {}", what, output));
}

/// The categorical samples of a file.
void write_rows(const Arguments& arguments, const std::string& source) {
  const data::CategoricalTable table = store::read_categorical(source).table;
  if (arguments.dry_run()) {
    const auto values = static_cast<double>(table.codes.size());
    print_plan(arguments, {5 * values + 1e6, table.n_rows, "rows", values * 1e-8});
    return;
  }
  write_to(arguments, arguments.output(), report::export_rows(table),
           fmt::format("{} rows of {} variables", table.n_rows, table.n_columns()));
}

}  // namespace

void run_export(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()(
      "format", po::value<std::string>()->value_name("FORMAT"),
      "json, csv, dot, graphml or bif; of an anchored network anchors too, the file that "
      "`learn anchored` reads; of a categorical network json, csv or dot, and of a file of "
      "categorical samples rows: the samples, CSV")(
      "output,o", po::value<std::string>()->value_name("FILE"), "where to; - is standard output");
  const Arguments arguments(
      {"export",
       "MODEL --format json|csv|dot|graphml|bif|anchors|rows -o FILE",
       "Writes a model in the format of another tool. MODEL is a model file, of a network or "
       "of a tree, or any NETWORK (bif: not of numbers; of categories json, csv, dot).",
       "orrery export model.h5 --format json -o model.json",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const std::string format = arguments.required("format");
  if (format == "rows") {
    write_rows(arguments, source);
    return;
  }
  const model::AnyModel learned = load_model(source, arguments.seed());
  const Size size = std::visit([](const auto& model) { return size_of(model); }, learned);
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(size.edges);
    print_plan(arguments, {200 * edges + 1e6, size.edges, "edges", edges * 1e-6});
    return;
  }
  const std::string output = arguments.output();
  write_to(arguments, output, report::export_any(learned, format),
           fmt::format("{} {} and {} edges", size.nodes, size.kind, size.edges));
}

}  // namespace orrery::cli
