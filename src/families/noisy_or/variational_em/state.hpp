// How far a run is: all that a checkpoint keeps.
#pragma once

#include <vector>

#include "families/noisy_or/variational_em/causes.hpp"
#include "families/noisy_or/variational_em/fit.hpp"
#include "parallel/team.hpp"
#include "store/checkpoint.hpp"

namespace orrery::variational_em {

struct State {
  std::vector<Tried> tried;       ///< numbers of causes that are done (--causes auto)
  std::size_t n_causes = 0;       ///< that are being fitted; 0: nothing has begun
  bool hold_out = false;          ///< to try this number; else to keep the result
  std::vector<Restart> restarts;  ///< empty: not yet drawn
};

/// Into the arrays of a checkpoint.
void save(const State& state, store::Checkpoint& checkpoint);
/// The reverse; an empty state from an empty checkpoint. Throws InputError if the arrays do not fit
/// m variables and each other.
[[nodiscard]] State load(const store::Checkpoint& checkpoint, std::size_t m);
/// Root's checkpoint, as taken, to all. Collective.
[[nodiscard]] State load_everywhere(const parallel::Team& team, const store::Checkpoint& checkpoint,
                                    std::size_t m);

}  // namespace orrery::variational_em
