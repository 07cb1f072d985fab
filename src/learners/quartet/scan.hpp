// One round over all quartets: JOINT, ADJUST, PRETEST, 4TEST (Algorithm 1, lines 3 to 6).
#pragma once

#include <cstdint>
#include <vector>

#include "learners/quartet/candidate.hpp"
#include "learners/quartet/options.hpp"
#include "learners/quartet/work_plan.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/moments/subtraction.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::quartet {

struct ScanResult {
  /// At most options.max_candidates; sorted when the scan is done. At rank 0 only.
  std::vector<Candidate> candidates;
  std::uint64_t n_pretested = 0;  ///< quartets whose triples all share a parent
  std::uint64_t n_accepted = 0;   ///< quartets that passed the quartet test too
};

/// How far a scan is, and what it has found.
struct ScanState {
  parallel::Units units;
  ScanResult found;
};

/// Goes on with a scan until it is done or to be paused (Team::run_units). Collective. The result is
/// the same at every number of ranks and threads, however often it was paused.
parallel::Team::Stretch scan_quartets(const parallel::Team& team, int threads,
                                      const moments::MomentSource& moments,
                                      const moments::Subtraction& learned, const Options& options,
                                      int depth, parallel::Team::Clock::time_point pause_at,
                                      ScanState& state);

/// Keeps the best `n` candidates: the same ones whatever the order they came in.
void keep_best(std::vector<Candidate>& candidates, std::size_t n);

/// Slabs that a thread keeps: those of one unit and one more, if they fit; never fewer than two.
std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options);
/// Bytes of the triples that one thread keeps (its walker's buffers come on top).
std::size_t scan_thread_bytes(const SiblingGraph& siblings, const Options& options);

}  // namespace orrery::quartet
