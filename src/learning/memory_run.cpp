#include "learning/memory_run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <set>
#include <string>

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
  const std::size_t m = samples.n_observed();
  if (samples.names.size() != m) {
    throw InputError(fmt::format("{}: {} names for {} columns; give each column a name", source,
                                 samples.names.size(), m));
  }
  std::set<std::string> seen;
  for (const std::string& name : samples.names) {
    if (seen.insert(name).second) continue;
    throw InputError(
        fmt::format("{}: two columns are called '{}'; give each a name of its own", source, name));
  }
  if (samples.missing &&
      (samples.missing->n_columns() != m || samples.missing->n_rows() != samples.values.n_rows())) {
    throw InputError(fmt::format(
        "{}: the mask of missing values is {} x {}, the values are {} x {}; they must be alike",
        source, samples.missing->n_rows(), samples.missing->n_columns(), samples.n_samples(), m));
  }
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
