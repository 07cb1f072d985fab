// A scan of samples that no rank holds whole: counts are made ahead, a batch of units at a time.
#pragma once

#include "families/noisy_or/quartet/scan/scan.hpp"

namespace orrery::quartet {

/// As scan_quartets, for a source with counts_ahead(): the same result. Pauses come between
/// batches; a stop gives up the batch under way. Collective.
parallel::Team::Stretch scan_ahead(const parallel::Team& team, int threads,
                                   const moments::MomentSource& moments,
                                   const moments::Subtraction& learned, const Options& options,
                                   int depth, parallel::Team::Clock::time_point pause_at,
                                   ScanState& state);

}  // namespace orrery::quartet
