// `evaluate` for noisy-OR networks.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/printing.hpp"
#include "families/noisy_or/anchored_evaluate.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/data_options.hpp"
#include "families/noisy_or/evaluation_output.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "family/table.hpp"
#include "model/learnability.hpp"

namespace orrery::noisy_or {
namespace {

/// True if the model says more of itself than its parameters.
bool knows_its_evidence(const model::LearnedModel& learned) {
  return !learned.errors.empty() || learned.stability.resamples > 0 ||
         std::ranges::any_of(learned.provenance,
                             [](const model::Provenance& from) { return from.support > 0; });
}

struct Results {
  std::optional<Judgement> judged;
  std::optional<DataScores> scores;
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
  cli::print_json(object);
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
  const bool few = learned.network.n_causes() <= many_causes;
  std::cout << describe_model(learned, depths, alone || few);
}

}  // namespace

void add_evaluate_options(boost::program_options::options_description& options) {
  add_match_options(options);
  add_data_options(options);
  add_anchored_evaluation_options(options);
}

void evaluate(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const std::string source = arguments.text("model");
  if (!learned.network.anchors().empty()) {
    family::refuse_options(arguments, {"min-prior", "triples"}, source, "an anchored network");
    evaluate_anchored(arguments, learned);
    return;
  }
  family::refuse_options(arguments, {"labels", "last-tag"}, source, describe_kind(learned));
  if (arguments.dry_run()) {
    cli::print_plan(arguments, plan_data_scores(arguments, learned.network));
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

}  // namespace orrery::noisy_or
