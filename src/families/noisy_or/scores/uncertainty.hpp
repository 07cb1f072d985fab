// How sure a model is of its parameters, and whether a known truth bears it out.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "families/noisy_or/scores/match.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

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
/// The same of one cause's edges; nothing if it has none.
std::optional<std::size_t> weakest_edge(const model::LearnedModel& model, std::size_t cause);

/// True parameters inside the intervals, of those that have an interval.
struct Coverage {
  Share priors;    ///< of recovered causes
  Share failures;  ///< of edges that a recovered cause has both in truth and as learned
  Share leaks;     ///< of all observed variables
};
/// `evaluation` is that of `model` and `truth`.
Coverage coverage(const model::LearnedModel& model, const model::NoisyOrNetwork& truth,
                  const Evaluation& evaluation);

}  // namespace orrery::noisy_or
