#include "families/noisy_or/anchored_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/output_file.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/network_argument.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "family/model_argument.hpp"

namespace orrery::noisy_or {

void report_anchored(const cli::Arguments& arguments, const model::LearnedModel& learned) {
  const model::NoisyOrNetwork& network = learned.network;
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(network.edges().size());
    cli::print_plan(arguments,
                    {1e6 + 400 * edges, network.n_causes(), "causes", .1 + 2e-6 * edges});
    return;
  }
  const std::string path = arguments.required("model");
  const std::string source = arguments.text("truth");
  const std::string output = arguments.output();
  AnchoredReportInput input;
  input.model = &learned;
  input.title = arguments.has("title") ? arguments.get<std::string>("title")
                                       : "Hidden causes that depend on each other";
  input.source = std::filesystem::path(path).filename().string();
  std::optional<model::LearnedModel> truth;
  std::optional<AnchoredScores> scores;
  if (arguments.has("truth")) {
    truth = require_network(family::load_model(source, arguments.seed()), source);
    scores = score_anchored(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  const std::string page = anchored_html_report(input);
  write_text_file(output, page);
  cli::print_done(arguments, {{"output", output}, {"bytes", page.size()}},
                  fmt::format("{} causes of {} variables drawn; open {} in a browser",
                              network.n_causes(), network.n_observed(), output));
}

}  // namespace orrery::noisy_or
