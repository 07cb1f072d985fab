// How far a run is: all that a checkpoint keeps, and which number of causes is to be tried next.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "families/noisy_or/variational_em/fit.hpp"
#include "parallel/team.hpp"
#include "store/checkpoint.hpp"

namespace orrery::variational_em {

/// --causes auto: a number of causes that was fitted, and its bound of the rows held out (nats per
/// row).
struct Tried {
  std::size_t n_causes = 0;
  double held_out = 0;
};

/// The highest bound; of equals the fewest causes. `tried` is not empty.
[[nodiscard]] std::size_t best_number(const std::vector<Tried>& tried);
/// 1, 2, 4, ... until the bound falls or `most` is reached; then halves the wider gap beside the
/// best until both its neighbours are tried. Nothing when there is no more to try.
[[nodiscard]] std::optional<std::size_t> next_number(const std::vector<Tried>& tried,
                                                     std::size_t most);

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
