// A command that goes through its work in batches, one after the other, and writes what each gives:
// with --checkpoint the batches that are done are kept, and a run that was stopped begins with
// them.
//
// Memory at rank 0, with --checkpoint alone: what all batches gave so far. What would break first
// is rewriting all of it every --every, at some 10 GB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "learning/checkpoints.hpp"
#include "parallel/team.hpp"
#include "parallel/units.hpp"

namespace orrery::family {

class KeptBatches {
 public:
  /// Throws InputError where the checkpoint's batches do not add up. Collective.
  KeptBatches(const parallel::Team& team, learning::Checkpoints checkpoints);

  /// Batches that an earlier run has done: the first so many. The same at every rank.
  [[nodiscard]] std::uint64_t n_done() const noexcept { return n_done_; }
  /// What one of them gave. Root.
  [[nodiscard]] std::vector<std::byte> batch(std::uint64_t index) const;
  /// True if add() needs to be told what a batch gave.
  [[nodiscard]] bool keeps() const { return checkpoints_.has_file(); }
  /// One more batch is done; `bytes` counts at root. Throws learning::Stopped if the run was asked
  /// to stop. Collective.
  void add(const std::vector<std::byte>& bytes);

  /// The batch after those that are done, of which some units may be: what an earlier run has of
  /// it.
  struct Part {
    parallel::Units units;         ///< the same at every rank
    std::vector<std::byte> bytes;  ///< what the units that are done gave; at root
  };
  /// `n_units`: of the batch `index`. Collective.
  [[nodiscard]] Part part(std::uint64_t index, std::uint64_t n_units) const;
  /// When a stretch of units of a batch is to pause.
  [[nodiscard]] learning::Checkpoints::Clock::time_point pause_at() const {
    return checkpoints_.due();
  }
  /// A stretch of units ended in this pause. Throws learning::Stopped. Collective.
  void keep_part(parallel::Team::Pause pause, const Part& part);
  /// The result is written. Root.
  void remove() const { checkpoints_.remove(); }
  [[nodiscard]] learning::Checkpoints& checkpoints() noexcept { return checkpoints_; }

 private:
  const parallel::Team& team_;
  learning::Checkpoints checkpoints_;
  std::uint64_t n_done_ = 0;
  std::vector<std::size_t> first_;  // of each batch of an earlier run: its word; at root
};

/// Throws InputError unless a batch that is done `fits` this run.
void require_batch(bool fits);

/// What a command's options ask for; the team must outlive what is opened. Collective.
using OpenBatches = std::function<KeptBatches(const parallel::Team& team)>;

}  // namespace orrery::family
