// The state of a run, kept in a file so that a run that was stopped goes on where it was.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/parallel/team.hpp"
#include "orrery/store/checkpoint.hpp"
#include "orrery/store/run_info.hpp"

namespace orrery::learners {

/// The run was asked to stop and has kept its state (exit code 75). Thrown at every rank.
struct Stopped : Error {
  explicit Stopped(const std::string& message) : Error(ExitCode::checkpointed, message) {}
};

/// Whoever works in stages puts what it has into state(), and calls keep() when a stretch of units
/// ends in a pause. Without a file there are no pauses.
class Checkpoints {
 public:
  using Clock = parallel::Team::Clock;

  Checkpoints() = default;
  /// `identity`: the learner, the data and the options that the result depends on. With `resume`
  /// the state is read from `path` if it exists; without, an existing file is refused. Throws
  /// UsageError or InputError naming both values where the file is of another run. From here on
  /// signals ask for a stop (parallel/stop.hpp). Collective.
  Checkpoints(const parallel::Team& team, std::filesystem::path path, bool resume,
              double seconds_between, store::Checkpoint identity, store::RunInfo run);

  /// When the next checkpoint is due; Team::never without a file.
  [[nodiscard]] Clock::time_point due() const { return due_; }
  /// Between two steps that are no units: what a stretch of units would have ended with.
  /// Collective.
  [[nodiscard]] parallel::Team::Pause pause_now(const parallel::Team& team) const;

  /// At rank 0 the state to be kept, with what was found in the file; empty elsewhere.
  [[nodiscard]] store::Checkpoint& state() { return state_; }
  /// Writes state() if `pause` asks for it (rank 0), and throws Stopped if it is `stop`.
  /// Collective.
  void keep(const parallel::Team& team, parallel::Team::Pause pause);
  /// The run is done and its result written: removes the file. Rank 0.
  void remove() const;

 private:
  std::filesystem::path path_;
  double seconds_between_ = 0;
  Clock::time_point due_ = parallel::Team::never;
  store::Checkpoint state_;
  store::RunInfo run_;
};

/// Throws InputError naming the array unless what it holds `fits` the rest of the state.
void require(bool fits, const char* array);
/// One of a checkpoint's arrays, by name; it must be there.
template <class T>
const std::vector<T>& array(const std::map<std::string, std::vector<T>>& arrays, const char* name) {
  const auto found = arrays.find(name);
  require(found != arrays.end(), name);
  return found->second;
}

/// Units as words of a checkpoint: total, next, then the returned ones.
[[nodiscard]] std::vector<std::uint64_t> pack(const parallel::Units& units);
[[nodiscard]] parallel::Units unpack_units(const std::vector<std::uint64_t>& words);

}  // namespace orrery::learners
