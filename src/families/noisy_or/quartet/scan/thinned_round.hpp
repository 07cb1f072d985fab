// A round of the learner on a sample of its units: what a plan measures.
#pragma once

#include "families/noisy_or/quartet/state.hpp"
#include "learning/plan.hpp"

namespace orrery::quartet {

/// Expected for the whole round; seconds are of processors.
struct RoundForecast {
  double setup_seconds = 0;   ///< adjusted pairs and siblings, by every rank
  double scan_seconds = 0;    ///< by all threads together
  double choose_seconds = 0;  ///< sorting and passing over candidates, by rank 0
  double extend_seconds = 0;  ///< by all threads together
  double n_accepted = 0;      ///< quartets
  double thread_bytes = 0;    ///< slabs and the walker's buffers
  bool whole = false;         ///< every unit was scanned
};

/// Runs the round state.depth for about `seconds`, leaves the causes that it found in `state`.
RoundForecast thinned_round(const moments::MomentSource& moments, const Options& options,
                            const learning::Resources& resources, double seconds, State& state,
                            learning::Timing& timing);

struct SlabUse {
  double work = 0;   ///< k (m - a) for each slab that is made (k later siblings of its variable a)
  double bytes = 0;  ///< that a worker holds in the end, in the mean
};
/// Of slabs, when the units are handed out in turn to `workers` workers, each of which keeps the
/// `kept` that it used last. A pair of siblings needs the slab of its first member, and a share
/// `open` of them (by lot) that of its second one.
SlabUse slab_use(const WorkPlan& plan, const SiblingGraph& siblings,
                 const std::vector<std::uint64_t>& units, double open, std::size_t kept,
                 std::size_t workers);

}  // namespace orrery::quartet
