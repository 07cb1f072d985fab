// Time, units and balance of one stage, over all its stretches and ranks.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/stage.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

class StageWatch {
 public:
  /// A stage of that name is appended to `stages` when the watch ends.
  StageWatch(std::vector<Stage>& stages, std::string name)
      : stages_(stages), begin_(parallel::Team::Clock::now()), stage_{std::move(name)} {}
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;
  ~StageWatch() {
    stage_.seconds = std::chrono::duration<double>(parallel::Team::Clock::now() - begin_).count();
    stage_.imbalance = parallel::imbalance(busy_);
    stages_.push_back(stage_);
  }

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
  Stage stage_;
  std::vector<double> busy_;  // seconds of each rank's threads; at rank 0
};

}  // namespace orrery::learning
