// One round over all quartets: JOINT, ADJUST, PRETEST, 4TEST (Algorithm 1, lines 3 to 6).
#pragma once

#include <cstdint>
#include <vector>

#include "learners/quartet/candidate.hpp"
#include "learners/quartet/options.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/moments/subtraction.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::quartet {

struct ScanResult {
  /// At rank 0, sorted; at most options.max_candidates. Empty elsewhere.
  std::vector<Candidate> candidates;
  /// At every rank, over all ranks.
  std::uint64_t n_pretested = 0;  ///< quartets whose triples all share a parent
  std::uint64_t n_accepted = 0;   ///< quartets that passed the quartet test too
};

/// Collective. The same at every number of ranks and threads.
ScanResult scan_quartets(const parallel::Team& team, int threads,
                         const moments::MomentSource& moments, const moments::Subtraction& learned,
                         const Options& options, int depth);

/// Blocks of pairs that a scan of m variables is handed out in.
std::size_t n_scan_units(std::size_t n_observed);
/// Bytes of the triples that one thread keeps (its walker's buffers come on top).
std::size_t scan_thread_bytes(std::size_t n_observed, const Options& options);

}  // namespace orrery::quartet
