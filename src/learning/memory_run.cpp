#include "learning/memory_run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

constexpr const char* source = "samples";

int threads_of(const learn::RunOptions& options) {
  if (options.threads < 0) {
    throw UsageError(fmt::format("threads = {}: 0 or more", options.threads));
  }
  return options.threads > 0 ? options.threads : omp_get_max_threads();
}

data::SampleMatrix checked(const data::SampleMatrix& samples) {
  data::require_consistent(samples, source);
  return samples;
}

}  // namespace

MemoryRun::MemoryRun(const data::SampleMatrix& samples, const learn::RunOptions& options)
    : threads_(threads_of(options)),
      seed_(options.seed),
      samples_(
          samples_in_memory(team_, threads_, checked(samples), source, checkpoints_, stages_)) {}

LearnContext MemoryRun::context() {
  return {team_,
          threads_,
          seed_,
          *samples_.moments,
          samples_.names,
          samples_.complete(),
          samples_.rows.get(),
          samples_.memory_left,
          stages_,
          checkpoints_};
}

}  // namespace orrery::learning
