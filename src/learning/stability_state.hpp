// How far a bootstrap is: what a checkpoint keeps of it, beside the resample that is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"
#include "store/checkpoint.hpp"

namespace orrery::learning {

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
