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
namespace {

namespace po = boost::program_options;

}  // namespace

void run_export(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("format", po::value<std::string>()->value_name("FORMAT"),
                    "json, csv, dot, graphml or bif")(
      "output,o", po::value<std::string>()->value_name("FILE"), "where to; - is standard output");
  const Arguments arguments(
      {"orrery export MODEL --format json|csv|dot|graphml|bif -o FILE",
       "Writes a model in the format of another tool. MODEL is a model file or any NETWORK.",
       "orrery export model.h5 --format json -o model.json",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const model::LearnedModel learned = load_network(arguments.required("model"), arguments.seed());
  const std::string format = arguments.required("format");
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(learned.network.edges().size());
    print_plan(arguments,
               {200 * edges + 1e6, learned.network.edges().size(), "edges", edges * 1e-6});
    return;
  }
  const std::string output = arguments.required("output");
  const std::string text = report::export_model(learned, format);
  if (output == "-") {
    std::cout << text;
    return;
  }
  write_text_file(output, text);
  if (arguments.json()) {
    std::cout << nlohmann::json{{"output", output}, {"bytes", text.size()}}.dump(2) << '\n';
  } else if (!arguments.get<bool>("quiet")) {
    std::cout << fmt::format("{} causes and {} edges written to {}\n", learned.network.n_causes(),
                             learned.network.edges().size(), output);
  }
}

}  // namespace orrery::cli
