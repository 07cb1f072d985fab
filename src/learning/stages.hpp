// Stages of a run: time, units and balance of each; and stages whose units each give some numbers
// that every rank needs, shared by ranks and threads, kept in the checkpoint.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/work_time.hpp"
#include "learning/checkpoints.hpp"
#include "learning/scaling.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

/// Over all stretches and ranks.
class StageWatch {
 public:
  /// A stage of that name is appended to `stages` when the watch ends.
  StageWatch(std::vector<Stage>& stages, std::string name);
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;
  ~StageWatch();

  /// Counts a stretch of `n_units` units. Collective.
  void add(const parallel::Team& team, const parallel::Team::Stretch& stretch,
           std::uint64_t n_units) {
    stage_.units += n_units;
    const std::vector<double> busy = team.gather(std::vector{stretch.busy_seconds});
    busy_.resize(busy.size(), 0);
    for (std::size_t r = 0; r < busy.size(); ++r) busy_[r] += busy[r];
  }

 private:
  std::vector<Stage>& stages_;
  parallel::Team::Clock::time_point begin_;
  StageMeter meter_;
  Stage stage_;
  std::vector<double> busy_;  // seconds of each rank's threads; at rank 0
};

/// Who works, and what is kept of it.
struct Workers {
  const parallel::Team& team;
  int threads;
  Checkpoints& checkpoints;
  std::vector<Stage>& stages;
};

struct UnitStage {
  std::string name;  ///< of the stage, and of its arrays in the checkpoint
  std::string unit;  ///< "programs"
  std::uint64_t n_units = 0;
  std::size_t size = 0;  ///< numbers per unit
};

/// Fills a unit's numbers, which are 0 at first. `thread` < threads. An exception ends the run.
using UnitWork = std::function<void(std::uint64_t unit, int thread, std::span<double> values)>;

/// n_units x size numbers, the same at every rank. Memory: all of them a rank, and once more while
/// they are shared: at 1,000 ranks the sum over ranks of mostly zeros comes to matter first.
/// Collective.
std::vector<double> unit_values(const Workers& workers, const UnitStage& stage,
                                const UnitWork& work);

}  // namespace orrery::learning
