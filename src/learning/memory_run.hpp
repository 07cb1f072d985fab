// A run on samples that a program has in memory: one rank, no checkpoint.
#pragma once

#include <vector>

#include "learning/checkpoints.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/learning/run_options.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

class MemoryRun {
 public:
  /// Copies the samples and counts their pairs.
  /// @throws InputError for too few columns or rows, and names or a mask that do not fit them;
  ///     UsageError for a negative number of threads
  MemoryRun(const data::SampleMatrix& samples, const learn::RunOptions& options);

  /// What to learn from; the run must outlive it.
  [[nodiscard]] LearnContext context();

 private:
  parallel::Team team_;
  int threads_;
  std::uint64_t seed_;
  Checkpoints checkpoints_;
  std::vector<Stage> stages_;
  Samples samples_;
};

}  // namespace orrery::learning
