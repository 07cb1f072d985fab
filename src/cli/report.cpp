// orrery report MODEL -o FILE.html
#include "orrery/report/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/anchored_report.hpp"
#include "cli/categorical_report.hpp"
#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/linear_evaluate.hpp"
#include "cli/model_argument.hpp"
#include "cli/summary.hpp"
#include "cli/tree_evaluate.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/evaluate/match.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::cli {

namespace po = boost::program_options;

void run_report(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "drawn beside the learned causes")(
      "grid", po::value<std::string>()->value_name("RxC"),
      "the observed variables are an image of R rows and C columns")(
      "title", po::value<std::string>()->value_name("TEXT"), "of the page")(
      "output,o", po::value<std::string>()->value_name("FILE"), "the page, HTML");
  add_match_options(own);
  add_data_options(own);
  const Arguments arguments(
      {"report",
       "MODEL [--truth NETWORK] [--data DATA [--train DATA]] [--grid 8x8] -o FILE.html",
       "Draws a model as one self-contained HTML page: hidden causes, a tree of signs, the "
       "loadings and causes of a linear network, the anchors and causes of an anchored one, or the "
       "structure of a categorical one above its data.",
       "orrery report model.h5 --truth img --grid 8x8 -o report.html",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  require_used_options(arguments);
  const std::string path = arguments.required("model");
  const model::AnyModel loaded = load_model(path, arguments.seed());
  if (const auto* tree = std::get_if<model::LearnedTree>(&loaded)) {
    refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"}, path, of_trees);
    report_tree(arguments, *tree);
    return;
  }
  if (const auto* linear = std::get_if<model::LearnedLinear>(&loaded)) {
    refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"}, path, of_linear);
    report_linear(arguments, *linear);
    return;
  }
  if (const auto* categorical = std::get_if<model::LearnedCategorical>(&loaded)) {
    refuse_options(arguments, {"grid", "min-prior", "triples", "train"}, path, of_categorical);
    report_categorical(arguments, *categorical);
    return;
  }
  const auto& learned = std::get<model::LearnedModel>(loaded);
  // That page draws how causes depend on one another; the other one judges by data.
  const bool anchored = !learned.network.anchors().empty();
  if (anchored || (learned.network.has_dependent_causes() && !arguments.has("data"))) {
    refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"}, path,
                   anchored ? of_anchored : of_dependent);
    report_anchored(arguments, learned);
    return;
  }
  report::ReportInput input;
  input.model = &learned;
  input.title = arguments.has("title") ? arguments.get<std::string>("title") : "Hidden causes";
  input.source = std::filesystem::path(path).filename().string();
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  if (judged) {
    input.truth = &judged->truth.network;
    input.evaluation = &judged->evaluation;
  }
  if (arguments.has("grid")) input.grid = report::parse_grid(arguments.get<std::string>("grid"));
  if (arguments.dry_run()) {
    const auto edges = static_cast<double>(learned.network.edges().size());
    learners::Plan plan = plan_data_scores(arguments, learned.network);
    plan.memory_bytes += 200 * edges;
    plan.units = learned.network.n_causes();
    plan.unit = "causes";
    plan.seconds += edges * 1e-6;
    print_plan(arguments, plan);
    return;
  }
  const std::string output = arguments.output();
  const auto scores = score_data_option(arguments, learned, input.truth);
  if (scores) input.scores = &*scores;
  const std::string page = report::html_report(input);
  write_text_file(output, page);
  print_done(
      arguments, {{"output", output}, {"bytes", page.size()}},
      fmt::format("{} causes drawn; open {} in a browser", learned.network.n_causes(), output));
}

}  // namespace orrery::cli
