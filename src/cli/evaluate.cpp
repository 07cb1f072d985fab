// orrery evaluate MODEL [--truth NETWORK] [--data DATA [--train DATA]] [--labels DATA [--last-tag]]
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cli/anchored_evaluate.hpp"
#include "cli/categorical_evaluate.hpp"
#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/evaluation_output.hpp"
#include "cli/linear_evaluate.hpp"
#include "cli/model_argument.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "cli/tree_evaluate.hpp"
#include "orrery/evaluate/match.hpp"
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
  std::optional<model::LearnedModel> truth;
  std::optional<evaluate::Evaluation> evaluation;  ///< given iff truth is
  std::optional<evaluate::DataScores> scores;
};

Results evaluate_model(const Arguments& arguments, const model::LearnedModel& learned,
                       std::optional<model::LearnedModel> truth) {
  Results results{std::move(truth), std::nullopt, std::nullopt};
  const model::NoisyOrNetwork* network = nullptr;
  if (results.truth) {
    network = &results.truth->network;
    results.evaluation = evaluate::evaluate(learned, *network, min_prior(arguments));
  }
  results.scores = score_data_option(arguments, learned, network);
  return results;
}

/// Of a model whose causes depend on one another the truth may do so too; anchors tell nothing
/// here.
model::LearnedModel load_truth(const std::string& argument, std::uint64_t seed,
                               const model::LearnedModel& learned) {
  model::AnyModel loaded = load_model(argument, seed);
  const auto* anchored = std::get_if<model::LearnedAnchored>(&loaded);
  if (anchored != nullptr && learned.network.has_dependent_causes()) {
    return model::as_network(*anchored);
  }
  return require_network(std::move(loaded), argument);
}

void print_as_json(const Results& results, const model::LearnedModel& learned) {
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  nlohmann::json object = nlohmann::json::object();
  if (results.truth) {
    object = truth_json(*results.evaluation, learned, results.truth->network, depths);
  }
  if (results.scores) object.update(data_json(*results.scores, learned.network));
  object["model"] = model_json(learned, depths);
  print_json(object);
}

void print_as_text(const Results& results, const model::LearnedModel& learned) {
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  if (results.truth) {
    std::cout << describe_truth(*results.evaluation, learned, results.truth->network, depths);
  }
  if (results.scores) std::cout << describe_data(*results.scores, learned.network);
  const bool alone = !results.truth && !results.scores;
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
  model::AnyModel loaded = load_model(source, arguments.seed());
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
  if (const auto* anchored = std::get_if<model::LearnedAnchored>(&loaded)) {
    if (anchored->network.anchors().empty()) loaded = model::as_network(*anchored);
  }
  if (const auto* anchored = std::get_if<model::LearnedAnchored>(&loaded)) {
    refuse_options(arguments, {"min-prior", "triples", "moment"}, source, of_anchored);
    evaluate_anchored(arguments, *anchored);
    return;
  }
  if (const auto* categorical = std::get_if<model::LearnedCategorical>(&loaded)) {
    refuse_options(arguments, {"min-prior", "triples", "train", "moment", "labels", "last-tag"},
                   source, of_categorical);
    evaluate_categorical(arguments, *categorical);
    return;
  }
  refuse_options(arguments, {"moment", "labels", "last-tag"}, source, of_networks);
  const auto learned = std::get<model::LearnedModel>(std::move(loaded));
  std::optional<model::LearnedModel> truth;
  if (arguments.has("truth")) {
    truth = load_truth(arguments.get<std::string>("truth"), arguments.seed(), learned);
  }
  if (arguments.dry_run()) {
    print_plan(arguments, plan_data_scores(arguments, learned.network));
    return;
  }
  const Results results = evaluate_model(arguments, learned, std::move(truth));
  if (arguments.json()) {
    print_as_json(results, learned);
  } else {
    print_as_text(results, learned);
  }
}

}  // namespace orrery::cli
