// How many ranks are worth it: the time of a run on other numbers of ranks, from what its stages
// cost. The costs come from a run itself (`learn --ranks`) or from the measurement of a plan
// (`--dry-run --ranks`).
//
// A stage takes on R ranks of T threads
//
//   alone + shared / (R T) + longest (1 - 1 / (R T)) + messages step(R) + bytes / rate(R)
//     + exchanged / (R rate(R))
//
// seconds: what every rank does for itself; the units, which are handed out one by one, to whoever
// is free, so that the last one to end is at most a unit's time behind the mean; the sums over
// ranks, of which each takes log2 R steps; and what ranks send to each other of the rows that are
// dealt to them.
#pragma once

#include <string>
#include <vector>

#include "parallel/ledger.hpp"

namespace orrery::learning {

/// Seconds of processors, and of waiting where nothing else is said.
struct StageCost {
  std::string stage;
  double alone = 0;    ///< of each rank
  double shared = 0;   ///< of all ranks together
  double longest = 0;  ///< of the longest unit, summed over the handings out
  double waited = 0;   ///< that is no work: of the clock, on any number of ranks
  double messages = 0;
  double bytes = 0;      ///< of each rank
  double exchanged = 0;  ///< bytes, of all ranks together
};

struct Scaled {
  int ranks = 0;
  double seconds = 0;
  double efficiency = 0;  ///< of a rank, against a run on one rank
  std::string limit;      ///< the stage that has most of what does not shrink with ranks
  double limit_seconds = 0;
};

/// Seconds of a stage on so many ranks, of `threads` each.
[[nodiscard]] double seconds_on(const StageCost& cost, int ranks, int threads);
[[nodiscard]] std::vector<Scaled> scale(const std::vector<StageCost>& costs, int threads,
                                        const std::vector<int>& ranks);

// The costs of a run under way.

/// From its making to `end`; stages that end within are taken off.
class StageMeter {
 public:
  StageMeter();
  /// Notes the cost under this name.
  void end(const std::string& stage);

 private:
  parallel::Ledger before_;
  double processor_before_;
  std::size_t n_noted_;
};

/// What was noted in this process, in order, of a team of so many ranks: units are those of this
/// rank times the ranks. Stages of one kind ("refine_3", "refine_4") are one.
[[nodiscard]] std::vector<StageCost> noted_costs(int ranks);

}  // namespace orrery::learning
