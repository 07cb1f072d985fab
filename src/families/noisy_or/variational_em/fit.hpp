// Variational EM of several restarts, all of them in every pass over the rows.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "families/noisy_or/variational_em/lane_tables.hpp"
#include "families/noisy_or/variational_em/parameters.hpp"
#include "families/noisy_or/variational_em/start.hpp"
#include "learning/row_sums.hpp"

namespace orrery::variational_em {

struct FitSettings {
  EStepSettings e_step;
  double tolerance = 1e-5;  ///< least gain of the bound, nats per row
  std::uint64_t max_iterations = 500;
  /// Of a thread's sums; where all restarts need more, groups of them take turns, a pass each.
  std::size_t sums_bytes = std::size_t{64} << 20U;
};

/// Bounds in nats per row.
struct Restart {
  Parameters best;                                             ///< of the highest bound so far
  Parameters next;                                             ///< to be tried
  double bound = -std::numeric_limits<double>::infinity();     ///< of `best`
  double held_out = -std::numeric_limits<double>::infinity();  ///< of `best`, rows held out
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
[[nodiscard]] bool all_done(const std::vector<Restart>& restarts);

/// Bytes that an iteration needs at a rank: sums, tables and scratch.
[[nodiscard]] std::size_t pass_bytes(std::size_t n_causes, std::size_t n_observed,
                                     std::size_t n_restarts, int threads,
                                     const FitSettings& settings);

}  // namespace orrery::variational_em
