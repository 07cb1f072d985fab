// orrery export MODEL --format FORMAT -o FILE
#include "orrery/report/export.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/output_file.hpp"

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

}  // namespace

void run_export(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()(
      "format", po::value<std::string>()->value_name("FORMAT"),
      "json, csv, dot, graphml or bif; of an anchored network anchors too, the file that "
      "`learn anchored` reads")("output,o", po::value<std::string>()->value_name("FILE"),
                                "where to; - is standard output");
  const Arguments arguments(
      {"export",
       "MODEL --format json|csv|dot|graphml|bif|anchors -o FILE",
       "Writes a model in the format of another tool. MODEL is a model file, of a network or "
       "of a tree, or any NETWORK (bif: not of numbers).",
       "orrery export model.h5 --format json -o model.json",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const model::AnyModel learned = load_model(source, arguments.seed());
  const Size size = std::visit([](const auto& model) { return size_of(model); }, learned);
  const std::string format = arguments.required("format");
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(size.edges);
    print_plan(arguments, {200 * edges + 1e6, size.edges, "edges", edges * 1e-6});
    return;
  }
  const std::string output = arguments.output({model_file(source)});
  const std::string text = report::export_any(learned, format);
  if (output == "-") {
    std::cout << text;
    return;
  }
  write_text_file(output, text);
  print_done(
      arguments, {{"output", output}, {"bytes", text.size()}},
      fmt::format("{} {} and {} edges written to {}", size.nodes, size.kind, size.edges, output));
}

}  // namespace orrery::cli
