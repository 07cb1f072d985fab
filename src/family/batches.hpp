// A command that goes through its work in batches, one after the other, and writes what each gives:
// with --checkpoint the batches that are done are kept, and a run that was stopped begins with
// them.
//
// Memory at rank 0, with --checkpoint alone: what all batches gave so far. What would break first
// is rewriting all of it every --every, at some 10 GB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "family/matching.hpp"
#include "learning/checkpoints.hpp"
#include "parallel/team.hpp"
#include "parallel/units.hpp"
#include "store/store.hpp"

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

// Rows of a data file shared by ranks and threads, whatever is computed from them: results come to
// root in the order of the rows, the same for any number of ranks and threads.

/// A unit and what it found, as bytes. `Found` has for_each_list(found, visit), which calls
/// visit(vector) for everything in it, append(other), and is_of_rows(found, n_rows): its lists are
/// of so many rows.
template <class Found>
void pack(std::uint64_t unit, const Found& found, std::vector<std::byte>& bytes) {
  const auto add = [&](const void* from, std::size_t n) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + n);
  };
  add(&unit, sizeof unit);
  for_each_list(found, [&](const auto& list) {
    const std::uint64_t n = list.size();
    add(&n, sizeof n);
    add(list.data(), n * sizeof list[0]);
  });
}

/// False if the bytes are not of units.
template <class Found>
[[nodiscard]] bool unpack(const std::vector<std::byte>& bytes,
                          std::map<std::uint64_t, Found>& by_unit) {
  std::size_t at = 0;
  bool whole = true;
  const auto take = [&](void* to, std::size_t n) {
    whole = whole && n <= bytes.size() - at;
    if (!whole || n == 0) return;
    std::memcpy(to, bytes.data() + at, n);
    at += n;
  };
  while (whole && at < bytes.size()) {
    std::uint64_t unit = 0;
    take(&unit, sizeof unit);
    for_each_list(by_unit[unit], [&](auto& list) {
      std::uint64_t n = 0;
      take(&n, sizeof n);
      whole = whole && n <= (bytes.size() - at) / sizeof list[0];
      if (!whole) return;
      list.resize(n);
      take(list.data(), n * sizeof list[0]);
    });
  }
  return whole;
}

template <class Found>
std::vector<std::byte> pack(const std::map<std::uint64_t, Found>& by_unit) {
  std::vector<std::byte> bytes;
  for (const auto& [unit, found] : by_unit) pack(unit, found, bytes);
  return bytes;
}

/// All ranks' units at root; none elsewhere.
template <class Found>
void gather_units(const parallel::Team& team, std::map<std::uint64_t, Found>& by_unit) {
  if (team.size() == 1) return;
  const std::vector<std::byte> bytes = pack(by_unit);
  by_unit.clear();
  for (const auto& part : team.gather_bytes(bytes)) (void)unpack(part, by_unit);
}

/// What a batch of so many rows found, as it was kept; throws InputError where the bytes are not of
/// one.
template <class Found>
Found unpack_batch(const std::vector<std::byte>& bytes, std::size_t n_rows) {
  std::map<std::uint64_t, Found> by_unit;
  require_batch(unpack(bytes, by_unit) && by_unit.size() == 1 &&
                is_of_rows(by_unit.begin()->second, n_rows));
  return std::move(by_unit.begin()->second);
}

/// `evaluate(worker, row, rows, found)` adds what it finds of the file's row `row`, which is row
/// row % 64 of the MatchedRows given (each thread has its own); `workers` is one per thread. Calls
/// take(found) at root for `batch_rows` rows at a time, in order. Batches that `kept` has are taken
/// as they are. Memory: a block of the file and the batch at hand. Throws learning::Stopped.
/// Collective.
template <class Found, class Worker, class Evaluate, class Take>
void for_each_batch(const parallel::Team& team, const store::SampleReader& reader,
                    const MatchedRows& matched, std::size_t batch_rows,
                    std::vector<Worker>& workers, KeptBatches& kept, const Evaluate& evaluate,
                    const Take& take) {
  constexpr std::size_t unit_rows = 8;
  struct Own {
    MatchedRows rows;
    std::map<std::uint64_t, Found> by_unit;
  };
  const auto threads = static_cast<int>(workers.size());
  std::vector<Own> own(workers.size(), Own{matched, {}});
  Progress progress("infer", reader.header().n_samples, "rows");
  Progress silent("", 0, "");
  std::uint64_t first_row = 0;  // of the block
  std::uint64_t n_batches = 0;  // before this one
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const std::size_t n_rows = reader.rows_of(b);
    store::SampleReader::Block block;
    bool is_read = false;
    for (std::size_t batch = 0; batch < n_rows; batch += batch_rows) {
      const std::size_t end = std::min(n_rows, batch + batch_rows);
      if (n_batches++ < kept.n_done()) {
        if (team.is_root()) take(unpack_batch<Found>(kept.batch(n_batches - 1), end - batch));
        progress.set(first_row + end);
        continue;
      }
      if (!is_read) block = reader.read(b);
      is_read = true;
      const std::uint64_t n_units = (end - batch + unit_rows - 1) / unit_rows;
      std::map<std::uint64_t, Found> by_unit;
      KeptBatches::Part part = kept.part(n_batches - 1, n_units);
      require_batch(unpack(part.bytes, by_unit));
      auto pause = parallel::Team::Pause::none;
      do {
        const auto stretch = team.run_units(
            part.units, threads, kept.pause_at(), silent, [&](std::uint64_t unit, int thread) {
              Own& mine = own[static_cast<std::size_t>(thread)];
              const std::size_t first = batch + unit * unit_rows;
              const std::size_t last = std::min(end, first + unit_rows);
              mine.rows.load(block, first / 64 * 64);
              Found& found = mine.by_unit[unit];
              for (std::size_t row = first; row < last; ++row) {
                evaluate(workers[static_cast<std::size_t>(thread)], first_row + row, mine.rows,
                         found);
              }
              progress.advance(last - first);
              return true;
            });
        pause = stretch.pause;
        std::map<std::uint64_t, Found> here;
        for (Own& mine : own) here.merge(mine.by_unit);
        for (Own& mine : own) mine.by_unit.clear();
        gather_units(team, here);
        by_unit.merge(here);
        if (pause == parallel::Team::Pause::none) continue;
        part.bytes = pack(by_unit);
        kept.keep_part(pause, part);
      } while (pause != parallel::Team::Pause::none);
      Found all;
      for (const auto& [unit, found] : by_unit) all.append(found);
      require_batch(!team.is_root() || is_of_rows(all, end - batch));
      if (team.is_root()) take(all);
      progress.set(first_row + end);
      std::vector<std::byte> bytes;
      if (team.is_root() && kept.keeps()) pack(0, all, bytes);
      kept.add(bytes);
    }
    first_row += n_rows;
  }
}

}  // namespace orrery::family
