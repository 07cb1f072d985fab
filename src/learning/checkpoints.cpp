#include "learning/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "parallel/stop.hpp"

namespace orrery::learning {
namespace {

using parallel::Team;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what,
                         const std::string& there, const std::string& here) {
  throw InputError(
      fmt::format("{}: a checkpoint of another run: its {} is {}, this run's is {}; give the data "
                  "and options it was begun with, or another --checkpoint file",
                  path.string(), what, there, here));
}

/// Refuses a checkpoint of another run, naming the first difference.
void require_same_run(const std::filesystem::path& path, const store::Checkpoint& found,
                      const store::Checkpoint& own) {
  if (found.learner != own.learner) refuse(path, "learner", found.learner, own.learner);
  const auto shape = [](const store::Checkpoint& state) {
    return fmt::format("{} rows x {} columns (digest {:016x})", state.n_samples, state.n_observed,
                       state.data_digest);
  };
  if (found.data_digest != own.data_digest || found.n_samples != own.n_samples ||
      found.n_observed != own.n_observed) {
    refuse(path, "input", shape(found), shape(own));
  }
  for (std::size_t i = 0; i < std::max(found.options.size(), own.options.size()); ++i) {
    const auto text = [i](const store::Checkpoint& state) {
      return i < state.options.size()
                 ? fmt::format("{} {}", state.options[i].first, state.options[i].second)
                 : std::string("absent");
    };
    if (text(found) != text(own)) refuse(path, "option", text(found), text(own));
  }
}

/// Rank 0's state at the beginning.
store::Checkpoint first_state(const std::filesystem::path& path, bool resume,
                              store::Checkpoint identity) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  if (exists && !resume) {
    throw UsageError(
        fmt::format("--checkpoint {}: the file exists; go on from it with --resume, or remove it",
                    path.string()));
  }
  OutputFile probe(path);  // before hours of work
  if (!exists) {
    if (resume) log::info("{}: no checkpoint yet; starting from the beginning", path.string());
    return identity;
  }
  store::Checkpoint found = store::read_checkpoint(path);
  require_same_run(path, found, identity);
  log::info("{}: going on from this checkpoint", path.string());
  return found;
}

// A model that is worth more than nothing takes some passes over the rows after the time is over.
constexpr double grace_share = .05;

Checkpoints::Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Checkpoints::Clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

Checkpoints::Checkpoints(const Team& team, std::filesystem::path path, bool resume,
                         double seconds_between, store::Checkpoint identity, store::RunInfo run)
    : path_(std::move(path)), seconds_between_(seconds_between), run_(std::move(run)) {
  if (team.is_root()) state_ = first_state(path_, resume, std::move(identity));
  due_ = Clock::now() + duration_of(seconds_between_);
  parallel::stop_on_signals();
}

Team::Pause Checkpoints::pause_now(const Team& team) const {
  if (due_ == Team::never) return Team::Pause::none;
  const auto own = team.stop_requested()  ? Team::Pause::stop
                   : Clock::now() >= due_ ? Team::Pause::due
                                          : Team::Pause::none;
  std::vector<int> decision{static_cast<int>(own)};
  team.broadcast(decision);
  return static_cast<Team::Pause>(decision[0]);
}

void Checkpoints::keep(const Team& team, Team::Pause pause) {
  if (pause == Team::Pause::none) return;
  if (team.is_root() && !path_.empty()) {
    const Progress clock("checkpoint", 0, "");
    store::write_checkpoint(path_, state_, run_);
    log::verbose("{}: checkpoint written in {}", path_.string(), format_duration(clock.seconds()));
  }
  if (due_ != Team::never) due_ = Clock::now() + duration_of(seconds_between_);
  if (pause == Team::Pause::stop) {
    // Nobody leaves before the file is there.
    std::vector<int> written{1};
    team.broadcast(written);
    throw Stopped(fmt::format(
        "stopped at a checkpoint; run the same command with --checkpoint {} --resume to go on",
        path_.string()));
  }
}

void Checkpoints::limit_time(double seconds, std::string text) {
  limit_ = std::move(text);
  grace_seconds_ = grace_share * seconds;
  // A clock that counts nanoseconds ends after three centuries.
  constexpr double most_seconds = 1e9;
  if (seconds < most_seconds) end_ = Clock::now() + duration_of(seconds);
}

bool Checkpoints::time_is_up(const Team& team) const {
  if (end_ == Team::never) return false;
  std::vector<int> decision{Clock::now() >= end_ ? 1 : 0};
  team.broadcast(decision);
  return decision[0] == 1;
}

void Checkpoints::between_steps(const Team& team, Team::Pause pause,
                                const std::function<void()>& put) {
  const bool is_up = time_is_up(team);
  if (pause == Team::Pause::none && !is_up) return;
  if (!is_cut_short_) {  // what a learner does after its time is none of a resumed run's
    put();
    keep(team, pause == Team::Pause::none ? Team::Pause::due : pause);
  }
  if (!is_up) return;
  if (!is_cut_short_) end_ = Clock::now() + duration_of(grace_seconds_);
  due_ = Team::never;
  is_cut_short_ = true;
  throw TimeUp(fmt::format(
      "--time-limit {} was over before there was a model, so nothing was written; allow more time",
      limit_));
}

void Checkpoints::remove() const {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

void require(bool fits, const char* array) {
  if (fits) return;
  throw InputError(fmt::format(
      "the checkpoint's array {} does not fit the others or this learner; it was written "
      "by another version of orrery, or not by orrery: remove the file and start anew",
      array));
}

std::vector<std::uint64_t> pack(const parallel::Units& units) {
  std::vector<std::uint64_t> words{units.total, units.next};
  words.insert(words.end(), units.returned.begin(), units.returned.end());
  return words;
}

parallel::Units unpack_units(const std::vector<std::uint64_t>& words) {
  const bool fits = words.size() >= 2 && words[1] <= words[0] &&
                    std::is_sorted(words.begin() + 2, words.end()) &&
                    (words.size() == 2 || words.back() < words[1]);
  if (!fits) {
    throw InputError(
        "the checkpoint's units of work contradict each other; it was not written by orrery: "
        "remove "
        "it and start anew");
  }
  return {words[0], words[1], {words.begin() + 2, words.end()}};
}

}  // namespace orrery::learning
