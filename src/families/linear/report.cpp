// `report` for linear networks.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/output_file.hpp"
#include "cli/printing.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/page/page.hpp"

namespace orrery::linear {

void report(const model::LearnedLinear& learned, const Arguments& arguments) {
  const model::LinearNetwork& network = learned.network;
  if (arguments.dry_run()) {
    const auto cells = static_cast<double>(network.n_observed() * (network.n_causes() + 1));
    cli::print_plan(arguments, {1e6 + 400 * cells, network.n_causes(), "causes", 2e-6 * cells});
    return;
  }
  const std::string path = arguments.required("model");
  const std::string output = arguments.output();
  LinearReportInput input;
  input.model = &learned;
  input.title =
      arguments.has("title") ? arguments.get<std::string>("title") : "Hidden causes of numbers";
  input.source = std::filesystem::path(path).filename().string();
  const std::optional<model::LearnedLinear> truth = load_true_linear(arguments, network);
  std::optional<LinearScores> scores;
  if (truth) {
    scores = score_linear(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  const std::string page = linear_html_report(input);
  write_text_file(output, page);
  cli::print_done(arguments, {{"output", output}, {"bytes", page.size()}},
                  fmt::format("{} causes of {} variables drawn; open {} in a browser",
                              network.n_causes(), network.n_observed(), output));
}

}  // namespace orrery::linear
