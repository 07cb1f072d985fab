// One round over all quartets: JOINT, ADJUST, PRETEST, 4TEST (Algorithm 1, lines 3 to 6).
#pragma once

#include <memory>
#include <vector>

#include "families/noisy_or/quartet/scan/scanner.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// How far a scan is, and what it has found.
struct ScanState {
  parallel::Units units;
  ScanResult found;
};

/// Goes on with a scan until it is done or to be paused (Team::run_units). Collective. The result
/// is the same at every number of ranks and threads, however often it was paused.
parallel::Team::Stretch scan_quartets(const parallel::Team& team, int threads,
                                      const moments::MomentSource& moments,
                                      const moments::Subtraction& learned, const Options& options,
                                      int depth, parallel::Team::Clock::time_point pause_at,
                                      ScanState& state);

/// Adds what this rank's threads found to what root has. Collective.
void merge(const parallel::Team& team, std::vector<std::unique_ptr<Scanner>>& scanners,
           const Options& options, ScanResult& merged);

}  // namespace orrery::quartet
