// orrery export MODEL --format FORMAT -o FILE
#include "orrery/report/export.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/output_file.hpp"

namespace orrery::cli {

namespace po = boost::program_options;

void run_export(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("format", po::value<std::string>()->value_name("FORMAT"),
                    "json, csv, dot, graphml or bif")(
      "output,o", po::value<std::string>()->value_name("FILE"), "where to; - is standard output");
  const Arguments arguments(
      {"export",
       "MODEL --format json|csv|dot|graphml|bif -o FILE",
       "Writes a model in the format of another tool. MODEL is a model file or any NETWORK.",
       "orrery export model.h5 --format json -o model.json",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const model::LearnedModel learned = load_network(source, arguments.seed());
  const std::string format = arguments.required("format");
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(learned.network.edges().size());
    print_plan(arguments,
               {200 * edges + 1e6, learned.network.edges().size(), "edges", edges * 1e-6});
    return;
  }
  const std::string output = arguments.output({network_file(source)});
  const std::string text = report::export_model(learned, format);
  if (output == "-") {
    std::cout << text;
    return;
  }
  write_text_file(output, text);
  print_done(arguments, {{"output", output}, {"bytes", text.size()}},
             fmt::format("{} causes and {} edges written to {}", learned.network.n_causes(),
                         learned.network.edges().size(), output));
}

}  // namespace orrery::cli
