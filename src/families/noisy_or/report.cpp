// `report` for noisy-OR networks.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/output_file.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/anchored_report.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/data_options.hpp"
#include "families/noisy_or/page/page.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "family/table.hpp"

namespace orrery::noisy_or {

namespace po = boost::program_options;

void add_report_options(po::options_description& options) {
  options.add_options()("grid", po::value<std::string>()->value_name("RxC"),
                        "the observed variables are an image of R rows and C columns");
  add_match_options(options);
  add_data_options(options);
}

void report(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const std::string path = arguments.required("model");
  // The page of an anchored network draws how causes depend on one another; the other one judges
  // by data.
  const bool anchored = !learned.network.anchors().empty();
  if (anchored || (learned.network.has_dependent_causes() && !arguments.has("data"))) {
    family::refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"}, path,
                           describe_kind(learned));
    report_anchored(arguments, learned);
    return;
  }
  ReportInput input;
  input.model = &learned;
  input.title = arguments.has("title") ? arguments.get<std::string>("title") : "Hidden causes";
  input.source = std::filesystem::path(path).filename().string();
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  if (judged) {
    input.truth = &judged->truth.network;
    input.evaluation = &judged->evaluation;
  }
  if (arguments.has("grid")) input.grid = parse_grid(arguments.get<std::string>("grid"));
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(learned.network.edges().size());
    learning::Plan plan = plan_data_scores(arguments, learned.network);
    plan.memory_bytes += 200 * edges;
    plan.units = learned.network.n_causes();
    plan.unit = "causes";
    plan.seconds += edges * 1e-6;
    cli::print_plan(arguments, plan);
    return;
  }
  const std::string output = arguments.output();
  const auto scores = score_data_option(arguments, learned, input.truth);
  if (scores) input.scores = &*scores;
  const std::string page = html_report(input);
  write_text_file(output, page);
  cli::print_done(
      arguments, {{"output", output}, {"bytes", page.size()}},
      fmt::format("{} causes drawn; open {} in a browser", learned.network.n_causes(), output));
}

}  // namespace orrery::noisy_or
