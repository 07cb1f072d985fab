// How far the search has come, and how a checkpoint keeps it.
#pragma once

#include <cstdint>
#include <optional>

#include "families/categorical/structural_em/em.hpp"
#include "parallel/team.hpp"
#include "store/checkpoint.hpp"

namespace orrery::structural_em {

struct State {
  std::uint64_t restart = 0;  ///< under way; those before are done
  /// The structure takes shape: EM is cut short before each climb.
  bool is_early = false;
  std::uint64_t n_changes = 0;  ///< of the accepted structure's changes, made in `trial`
  Fit trial;                    ///< under EM
  std::optional<Fit> accepted;  ///< of this restart; none: `trial` is a start
  std::optional<Fit> best;      ///< of the restarts that are done
};

void save(const State& state, store::Checkpoint& checkpoint);
/// `like`: a network with the same causes and variables. Nothing: the checkpoint has no state.
/// Throws InputError naming the array that does not fit. The checkpoint is root's. Collective.
[[nodiscard]] std::optional<State> load_everywhere(const parallel::Team& team,
                                                   const store::Checkpoint& checkpoint,
                                                   const model::CategoricalNetwork& like);

}  // namespace orrery::structural_em
