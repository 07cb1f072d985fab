// How often what was learned is learned again from other rows: the bootstrap (Efron 1979; of
// learned structures: Friedman, Goldszmidt, Wyner 1999).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::learning {

/// What a learner does with its context. It leaves arrays of the checkpoint alone that are not its
/// own.
using Learn = std::function<model::LearnedModel(const LearnContext& context)>;

/// The model, and its stability: `learn` is called once more for each resample, on as many rows
/// drawn with replacement. Row i of resample b is a function of (seed, b, i) alone. All ranks and
/// threads share the work of a resample. A checkpoint has the model, what was found so far, and the
/// state of the resample that is under way.
/// Cost: `resamples` times that of learning. Memory: the rows a second time, one copy per host.
/// Throws UsageError if the rows are not in memory, or if there is no room for a second copy.
/// Collective.
model::LearnedModel learn_with_stability(const LearnContext& context, std::uint32_t resamples,
                                         const Learn& learn);

/// For each cause of `learned` the one of `again` that is the same: of the pairs whose strengths
/// 1 - failure have a cosine above 0.8 the most similar first, each cause once.
std::vector<std::optional<std::size_t>> found_again(const model::NoisyOrNetwork& learned,
                                                    const model::NoisyOrNetwork& again);

// How far a bootstrap is: what a checkpoint keeps of it, beside the resample that is under way.

struct BootstrapState {
  model::LearnedModel model;
  std::uint64_t n_done = 0;                ///< resamples
  std::vector<std::uint64_t> cause_found;  ///< in so many of them
  std::vector<std::uint64_t> edge_found;
};

void save(const BootstrapState& state, store::Checkpoint& checkpoint);
/// True if the checkpoint, which root has, holds one. Collective.
[[nodiscard]] bool holds_bootstrap(const parallel::Team& team, const store::Checkpoint& checkpoint);
/// Root's to all. `names`: of the observed variables. Throws InputError if the arrays do not fit
/// each other. Collective.
[[nodiscard]] BootstrapState load_bootstrap(const parallel::Team& team,
                                            const store::Checkpoint& checkpoint,
                                            const std::vector<std::string>& names);

}  // namespace orrery::learning
