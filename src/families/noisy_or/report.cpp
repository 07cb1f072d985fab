// `report` for noisy-OR networks.
#include <optional>

#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "families/noisy_or/page/page.hpp"
#include "family/model_argument.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;

/// The page of an anchored network draws how causes depend on one another; the other one judges by
/// data. Throws UsageError for options that the page has no use for.
bool draws_dependence(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const bool anchored = !learned.network.anchors().empty();
  if (!anchored && !(learned.network.has_dependent_causes() && !arguments.has("data"))) {
    return false;
  }
  family::refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"},
                         arguments.required("model"), describe_kind(learned));
  return true;
}

std::string anchored_report(const model::LearnedModel& learned, const Arguments& arguments) {
  const std::string source = arguments.text("truth");
  AnchoredReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes that depend on each other");
  input.source = family::source_of(arguments);
  std::optional<model::LearnedModel> truth;
  std::optional<AnchoredScores> scores;
  if (arguments.has("truth")) {
    truth = require_network(family::load_model(source, arguments.seed()), source);
    scores = score_anchored(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  return anchored_html_report(input);
}

}  // namespace

void add_report_options(po::options_description& options) {
  options.add_options()("grid", po::value<std::string>()->value_name("RxC"),
                        "the observed variables are an image of R rows and C columns");
  add_match_options(options);
  add_data_options(options);
}

learning::Plan plan_report(const model::LearnedModel& learned, const Arguments& arguments) {
  const auto edges = static_cast<double>(learned.network.edges().size());
  if (draws_dependence(learned, arguments)) {
    return {1e6 + 400 * edges, learned.network.n_causes(), "causes"};
  }
  if (arguments.has("grid")) (void)parse_grid(arguments.get<std::string>("grid"));
  learning::Plan plan = plan_data_scores(arguments, learned.network);
  plan.memory_bytes += 200 * edges;
  plan.units = learned.network.n_causes();
  plan.unit = "causes";
  return plan;
}

std::string report(const model::LearnedModel& learned, const Arguments& arguments,
                   const parallel::Team& team) {
  if (draws_dependence(learned, arguments)) return anchored_report(learned, arguments);
  ReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes");
  input.source = family::source_of(arguments);
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  if (judged) {
    input.truth = &judged->truth.network;
    input.evaluation = &judged->evaluation;
  }
  if (arguments.has("grid")) input.grid = parse_grid(arguments.get<std::string>("grid"));
  const std::optional<DataScores> scores = score_data_option(arguments, team, learned, input.truth);
  if (scores) input.scores = &*scores;
  return html_report(input);
}

}  // namespace orrery::noisy_or
