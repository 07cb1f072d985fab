// Variational EM of several restarts, all of them in every pass over the rows; and how far a run
// is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "families/noisy_or/variational_em/lane_tables.hpp"
#include "families/noisy_or/variational_em/start.hpp"
#include "learning/row_sums.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::variational_em {

struct FitSettings {
  EStepSettings e_step;
  double tolerance = 1e-5;  ///< least gain of the bound, nats per row
  std::uint64_t max_iterations = 500;
  /// A restart is given up when so many more gains like its last would not bring it to the best
  /// bound; 0: none is, and all rows are visited from the start.
  std::uint64_t race = 50;
  /// Of a thread's sums; where all restarts need more, groups of them take turns, a pass each.
  std::size_t sums_bytes = std::size_t{64} << 20U;
};

/// Bounds in nats per row.
struct Restart {
  Parameters best;                                             ///< of the highest bound so far
  Parameters next;                                             ///< to be tried
  double bound = -std::numeric_limits<double>::infinity();     ///< of `best`
  double held_out = -std::numeric_limits<double>::infinity();  ///< of `best`, rows held out
  double gain = std::numeric_limits<double>::infinity();  ///< the last, halved with each step back
  std::uint64_t passes = 0;
  std::uint64_t halvings = 0;  ///< steps back since `best` was found
  bool done = false;
};

/// (1 - share) * from + share * to.
[[nodiscard]] Parameters between(const Parameters& from, const Parameters& to, double share);

/// One iteration of every restart that is not done. False, and nothing has changed, if the run was
/// asked to stop in the middle. Collective.
bool iterate(const learning::RowPass& rows, const Counts& counts, const FitSettings& settings,
             std::vector<Restart>& restarts);
/// The highest bound; the first of equals.
[[nodiscard]] const Restart& best_of(const std::vector<Restart>& restarts);
/// Ends each restart that would not come to the best bound by `horizon` more gains like its last.
/// Bounds of restarts lie whole nats per row apart long before any of them has converged.
void give_up_hopeless(std::vector<Restart>& restarts, double horizon);
[[nodiscard]] bool all_done(const std::vector<Restart>& restarts);

/// Bytes that an iteration needs at a rank: sums, tables and scratch.
[[nodiscard]] std::size_t pass_bytes(std::size_t n_causes, std::size_t n_observed,
                                     std::size_t n_restarts, int threads,
                                     const FitSettings& settings);

// The state of a run: all that a checkpoint keeps, and which number of causes is to be tried next.

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
