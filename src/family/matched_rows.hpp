// Columns of a data file against the variables of a model, by name, in every command and family;
// the rows of the file as words of these variables; and commands that go through rows, or other
// work, in batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "data/bits.hpp"
#include "learning/checkpoints.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "parallel/team.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// What the data are for: a variable that nobody looked at can be summed out of a model that is
/// known, but nothing can be learned of it.
enum class Use { inference, learning };

/// The column of the data of each variable of a model. Throws InputError listing the differences,
/// with the remedy that suits `use`, if the data lack a variable, or if two have one name.
std::vector<std::size_t> columns_by_name(const std::vector<std::string>& names,
                                         const std::vector<std::string>& columns,
                                         const std::string& model_source,
                                         const std::string& data_source, Use use = Use::inference);

/// The same; columns that the model does not have are named in a warning.
std::vector<std::size_t> match_columns(const std::vector<std::string>& names,
                                       const std::vector<std::string>& columns,
                                       const std::string& model_source,
                                       const std::string& data_source);

/// All rows of a file, their columns those of `names` in that order; the digest is the file's.
/// Throws InputError as match_columns does.
data::SampleMatrix read_matched_samples(const std::vector<std::string>& names,
                                        const std::string& model_source, const std::string& path);

/// Other columns, or the same in another order: `places` has one member each.
data::SampleMatrix in_order(const data::SampleMatrix& samples, const data::ColumnUnions& places);

/// Says which columns of a file are in none of `used`.
void warn_of_unused(const std::vector<std::string>& columns, const data::ColumnUnions& used,
                    const std::string& model_source, const std::string& data_source);

/// Rows as words of the model's variables.
class MatchedRows {
 public:
  explicit MatchedRows(const std::vector<std::size_t>& columns) {
    for (const std::size_t column : columns) members_.push_back({column});
  }
  /// A variable is the union of several columns: on if one of them is; else missing if one is.
  explicit MatchedRows(std::vector<std::vector<std::size_t>> members)
      : members_(std::move(members)) {}

  /// The 64 rows from `first` on (a multiple of 64; fewer at the end).
  void load(const store::SampleReader::Block& block, std::size_t first);
  /// Of them; values are 0 where missing; missing is empty if the file has no mask.
  [[nodiscard]] std::span<const std::uint64_t> values(std::size_t row) const {
    return std::span(values_).subspan(row * n_words(), n_words());
  }
  [[nodiscard]] std::span<const std::uint64_t> missing(std::size_t row) const {
    return missing_.empty() ? std::span<const std::uint64_t>()
                            : std::span(missing_).subspan(row * n_words(), n_words());
  }

 private:
  [[nodiscard]] std::size_t n_words() const noexcept { return (members_.size() + 63) / 64; }
  void transpose(const data::BitColumns& block, std::size_t first,
                 std::vector<std::uint64_t>& rows) const;

  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::uint64_t> values_, missing_;
};

// Batches. A command goes through its work in batches, one after the other, and writes what each
// gives: with --checkpoint the batches that are done are kept, and a run that was stopped begins
// with them.
//
// Memory at rank 0, with --checkpoint alone: what all batches gave so far. What would break first
// is rewriting all of it every --every, at some 10 GB.

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
/// row % 64 of the MatchedRows given (each thread has its own); `workers` is one per thread. Goes
/// through the first `most_rows` rows. Calls take(found) at root for `batch_rows` rows at a time,
/// in order. Batches that `kept` has are taken as they are. Memory: a block of the file and the
/// batch at hand. Throws learning::Stopped. Collective.
template <class Found, class Worker, class Evaluate, class Take>
void for_each_batch(const parallel::Team& team, const store::SampleReader& reader,
                    const MatchedRows& matched, std::uint64_t most_rows, std::size_t batch_rows,
                    std::vector<Worker>& workers, KeptBatches& kept, const Evaluate& evaluate,
                    const Take& take) {
  constexpr std::size_t unit_rows = 8;
  struct Own {
    MatchedRows rows;
    std::map<std::uint64_t, Found> by_unit;
  };
  const auto threads = static_cast<int>(workers.size());
  std::vector<Own> own(workers.size(), Own{matched, {}});
  most_rows = std::min(most_rows, reader.header().n_samples);
  Progress progress("infer", most_rows, "rows");
  Progress silent("", 0, "");
  std::uint64_t first_row = 0;  // of the block
  std::uint64_t n_batches = 0;  // before this one
  for (std::size_t b = 0; first_row < most_rows; ++b) {
    const std::size_t n_rows = std::min<std::uint64_t>(reader.rows_of(b), most_rows - first_row);
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
