// What is told of a noisy-OR network: of itself, beside a known truth, and of data; sections of a
// sheet, for `learn`, `info`, `evaluate` and the page. Also how sure a model is of its parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/scores/anchored_scores.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/sheet.hpp"

namespace orrery::noisy_or {

// How sure a model is of its parameters, and whether a known truth bears it out.

struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool contains(double value) const noexcept { return low <= value && value <= high; }
};
/// Nominal 95 % interval of a probability: 1.96 standard errors to either side, cut to [0, 1].
/// Empty if the error is not known; `errors` may be empty.
std::optional<Interval> interval95(double estimate, const std::vector<double>& errors,
                                   std::size_t index);

/// Indices of the `n` edges with the least evidence: lowest stability first if it was measured,
/// then the smallest strength 1 - f over its standard error (or 1 - f, where none is known).
std::vector<std::size_t> weakest_edges(const model::LearnedModel& model, std::size_t n);

/// True parameters inside the intervals, of those that have an interval.
struct Coverage {
  Share priors;    ///< of recovered causes
  Share failures;  ///< of edges that a recovered cause has both in truth and as learned
  Share leaks;     ///< of all observed variables
};
/// `evaluation` is that of `model` and `truth`.
Coverage coverage(const model::LearnedModel& model, const model::NoisyOrNetwork& truth,
                  const Evaluation& evaluation);

// The sections. `depths` are those of model::structural_depths: computed once for all that is told.
// They may be empty.

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
