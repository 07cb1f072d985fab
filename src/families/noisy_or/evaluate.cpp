// `evaluate` for noisy-OR networks.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/anchored_evaluate.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/data_options.hpp"
#include "families/noisy_or/scores/sections.hpp"
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

/// True for a network with anchors. Throws UsageError for options of the other kind.
bool is_anchored(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const std::string source = arguments.text("model");
  const bool anchored = !learned.network.anchors().empty();
  if (anchored) {
    family::refuse_options(arguments, {"min-prior", "triples"}, source, "an anchored network");
  } else {
    family::refuse_options(arguments, {"labels", "last-tag"}, source, describe_kind(learned));
  }
  return anchored;
}

}  // namespace

void add_evaluate_options(boost::program_options::options_description& options) {
  add_match_options(options);
  add_data_options(options);
  add_anchored_evaluation_options(options);
}

learning::Plan plan_evaluate(const model::LearnedModel& learned, const Arguments& arguments) {
  return is_anchored(learned, arguments) ? plan_evaluate_anchored(arguments, learned)
                                         : plan_data_scores(arguments, learned.network);
}

void evaluate(const model::LearnedModel& learned, const Arguments& arguments,
              const parallel::Team& team, report::Sheet& sheet) {
  if (is_anchored(learned, arguments)) {
    evaluate_anchored(arguments, team, learned, sheet);
    return;
  }
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  const std::optional<DataScores> scores =
      score_data_option(arguments, team, learned, judged ? &judged->truth.network : nullptr);
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  if (judged) add_truth(sheet, judged->evaluation, learned, judged->truth.network, depths);
  if (scores) add_data(sheet, *scores, learned.network);
  const bool alone = !judged && !scores;
  report::Section& section =
      add_model(sheet, learned, depths, alone || learned.network.n_causes() <= many_causes);
  section.in_json_alone = !alone && !knows_its_evidence(learned);
}

}  // namespace orrery::noisy_or
