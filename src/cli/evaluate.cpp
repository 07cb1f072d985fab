// orrery evaluate MODEL [--truth NETWORK] [--data DATA [--train DATA]] [--labels DATA [--last-tag]]
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/anchored_evaluate.hpp"
#include "cli/categorical_evaluate.hpp"
#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/evaluation_output.hpp"
#include "cli/linear_evaluate.hpp"
#include "cli/model_argument.hpp"
#include "cli/summary.hpp"
#include "cli/tree_evaluate.hpp"
#include "orrery/evaluate/match.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/learnability.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

/// True if the model says more of itself than its parameters.
bool knows_its_evidence(const model::LearnedModel& learned) {
  return !learned.errors.empty() || learned.stability.resamples > 0 ||
         std::ranges::any_of(learned.provenance,
                             [](const model::Provenance& from) { return from.support > 0; });
}

struct Results {
  std::optional<Judgement> judged;
  std::optional<evaluate::DataScores> scores;
};

void print_as_json(const Results& results, const model::LearnedModel& learned) {
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  nlohmann::json object = nlohmann::json::object();
  if (results.judged) {
    const auto& [truth, evaluation] = *results.judged;
    object = truth_json(evaluation, learned, truth.network, depths);
  }
  if (results.scores) object.update(data_json(*results.scores, learned.network));
  object["model"] = model_json(learned, depths);
  print_json(object);
}

void print_as_text(const Results& results, const model::LearnedModel& learned) {
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  if (results.judged) {
    const auto& [truth, evaluation] = *results.judged;
    std::cout << describe_truth(evaluation, learned, truth.network, depths);
  }
  if (results.scores) std::cout << describe_data(*results.scores, learned.network);
  const bool alone = !results.judged && !results.scores;
  if (!alone && !knows_its_evidence(learned)) return;
  const bool few = learned.network.n_causes() <= evaluate::many_causes;
  std::cout << describe_model(learned, depths, alone || few);
}

}  // namespace

void run_evaluate(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "the true network: a file, a generator (with its --seed), or the data file it "
                    "was sampled to");
  own.add_options()("moment", po::value<std::string>()->value_name("NAMES"),
                    "of a tree: E[product] of these signs (a,b,... or @FILE), hidden and observed, "
                    "and what it may be off");
  add_match_options(own);
  add_data_options(own);
  add_anchored_evaluation_options(own);
  const Arguments arguments(
      {"evaluate",
       "MODEL [--truth NETWORK] [--data DATA [--train DATA]] [--labels DATA [--last-tag]]",
       "Counts recovered causes (Hungarian matching on the worst |log failure ratio|; at most 1), "
       "matched ones (cosine of 1 - f), edges and errors; scores data and compares them with the "
       "model's predictions; shows the "
       "model's intervals, support and stability, and its weakest edges. Of signs on a tree: wrong "
       "edges, distances to the true tree, likelihood of data, moments. Of a linear network: "
       "causes matched up to order and sign, edges and errors of loadings, likelihood of data. Of "
       "an "
       "anchored network: edges among causes, divergence, errors of loadings, likelihood of data "
       "and "
       "of labels, the last-tag task. Of a categorical network: edges that differ from the true "
       "one's once causes are matched, likelihood of data.",
       "orrery evaluate model.h5 --truth img --data heldout.h5",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  require_used_options(arguments);
  const std::string source = arguments.required("model");
  const model::AnyModel loaded = load_model(source, arguments.seed());
  if (const auto* tree = std::get_if<model::LearnedTree>(&loaded)) {
    refuse_options(arguments, {"min-prior", "triples", "labels", "last-tag"}, source, of_trees);
    evaluate_tree(arguments, *tree);
    return;
  }
  if (const auto* linear = std::get_if<model::LearnedLinear>(&loaded)) {
    refuse_options(arguments, {"min-prior", "triples", "train", "moment", "labels", "last-tag"},
                   source, of_linear);
    evaluate_linear(arguments, *linear);
    return;
  }
  if (const auto* categorical = std::get_if<model::LearnedCategorical>(&loaded)) {
    refuse_options(arguments, {"min-prior", "triples", "train", "moment", "labels", "last-tag"},
                   source, of_categorical);
    evaluate_categorical(arguments, *categorical);
    return;
  }
  const auto& learned = std::get<model::LearnedModel>(loaded);
  if (!learned.network.anchors().empty()) {
    refuse_options(arguments, {"min-prior", "triples", "moment"}, source, of_anchored);
    evaluate_anchored(arguments, learned);
    return;
  }
  refuse_options(arguments, {"moment", "labels", "last-tag"}, source, of_networks);
  if (arguments.dry_run()) {
    print_plan(arguments, plan_data_scores(arguments, learned.network));
    return;
  }
  Results results;
  results.judged = judge_by_truth(arguments, learned);
  results.scores = score_data_option(arguments, learned,
                                     results.judged ? &results.judged->truth.network : nullptr);
  if (arguments.json()) {
    print_as_json(results, learned);
  } else {
    print_as_text(results, learned);
  }
}

}  // namespace orrery::cli
