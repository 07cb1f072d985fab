// The state of a run, kept in a file so that a run that was stopped goes on where it was; and the
// time that the run may take.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::learning {

/// The run was asked to stop and has kept its state (exit code 75). Thrown at every rank.
struct Stopped : Error {
  explicit Stopped(const std::string& message) : Error(ExitCode::checkpointed, message) {}
};

/// The time of --time-limit is over: the learner is to return the best model it has. Thrown at
/// every rank at the end of the time, and at each step after the grace that follows it. A learner
/// that has no model by then lets it pass (exit code 4).
struct TimeUp : Error {
  explicit TimeUp(const std::string& message) : Error(ExitCode::environment, message) {}
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

  /// The run may take `seconds` from now on; `text`: as the user wrote it.
  void limit_time(double seconds, std::string text);
  /// The time was over before the learner was done: what it returned is the best it had.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  [[nodiscard]] bool has_file() const { return !path_.empty(); }
  [[nodiscard]] const std::string& time_limit() const { return limit_; }

  /// When the next checkpoint is due; Team::never without a file.
  [[nodiscard]] Clock::time_point due() const { return due_; }
  /// When a stretch of units is to pause that can also end early: due(), or the end of the time.
  [[nodiscard]] Clock::time_point pause_at() const { return std::min(due_, end_); }
  /// Between two steps that are no units: what a stretch of units would have ended with.
  /// Collective.
  [[nodiscard]] parallel::Team::Pause pause_now(const parallel::Team& team) const;

  /// At rank 0 the state to be kept, with what was found in the file; empty elsewhere.
  [[nodiscard]] store::Checkpoint& state() { return state_; }
  [[nodiscard]] const store::Checkpoint& state() const { return state_; }
  /// Writes state() if `pause` asks for it (rank 0), and throws Stopped if it is `stop`.
  /// Collective.
  void keep(const parallel::Team& team, parallel::Team::Pause pause);
  /// What a learner does between two steps, or with the pause that a stretch of units ended in. If
  /// the state is to be kept, `put` (called at every rank) brings it into state(). Throws Stopped,
  /// or TimeUp once the time is over (the state is kept first). Collective.
  void between_steps(const parallel::Team& team, parallel::Team::Pause pause,
                     const std::function<void()>& put);
  void between_steps(const parallel::Team& team, const std::function<void()>& put) {
    between_steps(team, pause_now(team), put);
  }
  /// The run is done and its result written: removes the file. Rank 0.
  void remove() const;

 private:
  [[nodiscard]] bool time_is_up(const parallel::Team& team) const;

  std::filesystem::path path_;
  double seconds_between_ = 0;
  Clock::time_point due_ = parallel::Team::never;
  store::Checkpoint state_;
  store::RunInfo run_;
  std::string limit_;
  double grace_seconds_ = 0;
  Clock::time_point end_ = parallel::Team::never;
  bool is_cut_short_ = false;
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

}  // namespace orrery::learning
