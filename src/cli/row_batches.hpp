// Rows of a data file shared by ranks and threads, whatever is computed from them: results come to
// root in the order of the rows, the same for any number of ranks and threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "cli/inference_run.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/parallel/team.hpp"
#include "orrery/store/sample_reader.hpp"

namespace orrery::cli {

/// A unit and what it found, as bytes. `Found` has for_each_list(found, visit), which calls
/// visit(vector) for everything in it, and append(other).
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

template <class Found>
void unpack(const std::vector<std::byte>& bytes, std::map<std::uint64_t, Found>& by_unit) {
  std::size_t at = 0;
  const auto take = [&](void* to, std::size_t n) {
    if (n > 0) std::memcpy(to, bytes.data() + at, n);
    at += n;
  };
  while (at < bytes.size()) {
    std::uint64_t unit = 0;
    take(&unit, sizeof unit);
    for_each_list(by_unit[unit], [&](auto& list) {
      std::uint64_t n = 0;
      take(&n, sizeof n);
      list.resize(n);
      take(list.data(), n * sizeof list[0]);
    });
  }
}

/// All ranks' units at root, in order.
template <class Found>
Found gather_units(const parallel::Team& team, std::map<std::uint64_t, Found>& by_unit) {
  if (team.size() > 1) {
    std::vector<std::byte> bytes;
    for (const auto& [unit, found] : by_unit) pack(unit, found, bytes);
    by_unit.clear();
    for (const auto& part : team.gather_bytes(bytes)) unpack(part, by_unit);
  }
  Found all;
  for (const auto& [unit, found] : by_unit) all.append(found);
  return all;
}

/// `evaluate(worker, row, rows, found)` adds what it finds of the file's row `row`, which is row
/// row % 64 of the MatchedRows given (each thread has its own); `workers` is one a thread. Calls
/// take(found) at root for `batch_rows` rows at a time, in order. Memory: a block of the file and
/// the batch at hand. Collective.
template <class Found, class Worker, class Evaluate, class Take>
void for_each_batch(const parallel::Team& team, const store::SampleReader& reader,
                    const MatchedRows& matched, std::size_t batch_rows,
                    std::vector<Worker>& workers, const Evaluate& evaluate, const Take& take) {
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
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const store::SampleReader::Block block = reader.read(b);
    const std::size_t n_rows = reader.rows_of(b);
    for (std::size_t batch = 0; batch < n_rows; batch += batch_rows) {
      const std::size_t end = std::min(n_rows, batch + batch_rows);
      const std::uint64_t n_units = (end - batch + unit_rows - 1) / unit_rows;
      team.for_each_unit(n_units, threads, silent, [&](std::uint64_t unit, int thread) {
        Own& mine = own[static_cast<std::size_t>(thread)];
        const std::size_t first = batch + unit * unit_rows;
        const std::size_t last = std::min(end, first + unit_rows);
        mine.rows.load(block, first / 64 * 64);
        Found& found = mine.by_unit[unit];
        for (std::size_t row = first; row < last; ++row) {
          evaluate(workers[static_cast<std::size_t>(thread)], first_row + row, mine.rows, found);
        }
        progress.advance(last - first);
      });
      std::map<std::uint64_t, Found> by_unit;
      for (Own& mine : own) by_unit.merge(mine.by_unit);
      const Found all = gather_units(team, by_unit);
      for (Own& mine : own) mine.by_unit.clear();
      if (team.is_root()) take(all);
      progress.set(first_row + end);
    }
    first_row += n_rows;
  }
}

}  // namespace orrery::cli
