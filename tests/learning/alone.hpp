// What a learner works with that is one rank alone.
#pragma once

#include <vector>

#include "learning/stages.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

inline const parallel::Team& lone_team() {
  static int argc = 0;
  static char** argv = nullptr;
  static const parallel::Team team(&argc, &argv);
  return team;
}

/// A rank alone, nothing kept.
struct Alone {
  Checkpoints checkpoints;
  std::vector<Stage> stages;
  [[nodiscard]] Workers workers(int threads = 1) {
    return {lone_team(), threads, checkpoints, stages};
  }
};

}  // namespace orrery::learning
