// What `evaluate` says of data and labels under an anchored network; as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "families/noisy_or/scores/anchored_likelihood.hpp"
#include "families/noisy_or/scores/cause_likelihood.hpp"

namespace orrery::noisy_or {

/// Of the causes' true values, nats a row.
struct LabelScores {
  LabelLikelihood model;
  double floor = 0;
  double floored = 0;      ///< no P(cause | parents) nearer to 0 or 1 than `floor`
  double independent = 0;  ///< the model's priors, no edges; floored too
  std::optional<double> truth;
};

struct AnchoredDataScores {
  bool held_out = true;  ///< false: the very samples that the model was learned from
  AnchoredLikelihood model;
  std::optional<AnchoredLikelihood> truth;
};

nlohmann::json anchored_data_json(const AnchoredDataScores& scores);
std::string describe_anchored_data(const AnchoredDataScores& scores);
nlohmann::json label_scores_json(const LabelScores& scores);
std::string describe_label_scores(const LabelScores& scores);

}  // namespace orrery::noisy_or
