// What is told of a noisy-OR network: of itself, beside a known truth, and of data; sections of a
// sheet, for `learn`, `info`, `evaluate` and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/scores/anchored_likelihood.hpp"
#include "families/noisy_or/scores/anchored_scores.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/sheet.hpp"

namespace orrery::noisy_or {

// `depths` are those of model::structural_depths: computed once for all that is told. They may be
// empty.

/// How many causes are at each structural depth: "6 at depth 0, 2 at depth 1"; empty where there
/// are no depths.
std::string describe_depths(const std::vector<std::int32_t>& depths);
/// A structural depth: "1", or "never" (by quartets); in JSON a number, or null.
std::string depth_text(std::int32_t depth);
nlohmann::json depth_json(std::int32_t depth);
/// "0.242 to 0.26", or nothing; in JSON [low, high], or null.
std::string interval_text(const std::optional<Interval>& interval);
nlohmann::json interval_json(const std::optional<Interval>& interval);

/// A row per cause, with what is known of its evidence.
void add_causes(report::Table& table, const model::LearnedModel& learned,
                const std::vector<std::int32_t>& depths);
/// A row per cause of a network with anchors: its parents, and its anchors with their noise rates.
void add_anchored_causes(report::Table& table, const model::LearnedModel& learned);
/// The edges that a reader should doubt first, with intervals and stability as far as they are
/// known.
void add_weakest_edges(report::Section& section, const model::LearnedModel& learned);
/// Causes and weakest edges (JSON: leaks too). Text has the causes if `list_causes`.
report::Section& add_model(report::Sheet& sheet, const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths, bool list_causes);

/// How much of the truth was found, by either criterion.
void add_truth(report::Sheet& sheet, const Evaluation& result, const model::LearnedModel& learned,
               const model::NoisyOrNetwork& truth, const std::vector<std::int32_t>& depths);
/// The part of it that goes by the likeness of strengths; of many causes also in bands, and what
/// was missed.
void add_likeness(report::Section& section, const Likeness& likeness,
                  const model::NoisyOrNetwork& learned, const model::NoisyOrNetwork& truth);
/// [hits, total].
nlohmann::json share_json(const Share& share);

/// Likelihoods beside those of the baselines, and what the model predicts worst.
void add_data(report::Sheet& sheet, const DataScores& scores, const model::NoisyOrNetwork& network);

/// Of an anchored network.
void add_anchored_truth(report::Sheet& sheet, const AnchoredScores& scores,
                        const model::NoisyOrNetwork& truth, const model::NoisyOrNetwork& learned);

struct AnchoredDataScores {
  bool held_out = true;  ///< false: the very samples that the model was learned from
  AnchoredLikelihood model;
  std::optional<AnchoredLikelihood> truth;
};
void add_anchored_data(report::Sheet& sheet, const AnchoredDataScores& scores);

/// Of the causes' true values, nats per row.
struct LabelScores {
  LabelLikelihood model;
  double floor = 0;
  double floored = 0;      ///< no P(cause | parents) nearer to 0 or 1 than `floor`
  double independent = 0;  ///< the model's priors, no edges; floored too
  std::optional<double> truth;
};
void add_labels(report::Sheet& sheet, const LabelScores& scores);

}  // namespace orrery::noisy_or
