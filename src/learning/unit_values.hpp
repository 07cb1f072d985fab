// A stage whose units each give some numbers that every rank needs: shared by ranks and threads,
// kept in the checkpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/stage.hpp"
#include "learning/checkpoints.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

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
