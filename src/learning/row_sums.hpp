// Sums over all rows, shared by ranks and threads: the E-steps of every learner. RowPass goes over
// the rows of samples; RowShare shares rows whatever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/shared_sums.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

class RowSlices;

/// Some rows, row after row: bit i of word w of a row is column 64 w + i.
struct RowBlock {
  std::uint64_t first_row = 0;  ///< of the data set
  std::size_t n_rows = 0;
  std::size_t n_words = 0;                 ///< words per row
  std::span<const std::uint64_t> values;   ///< n_rows x n_words; 0 where missing
  std::span<const std::uint64_t> missing;  ///< the same, 1 where missing; empty if nothing is

  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t i) const noexcept {
    return values.subspan(i * n_words, n_words);
  }
  [[nodiscard]] std::span<const std::uint64_t> missing_in(std::size_t i) const noexcept {
    return missing.empty() ? missing : missing.subspan(i * n_words, n_words);
  }
};

/// Cost of a pass beside the work: 6 m bit operations per row; a sum costs some 15 operations per
/// block of 256 rows. Memory: 48 bytes per sum and thread. At 1,000 ranks the sums' all-reduce (48
/// bytes each) comes to matter first.
class RowPass {
 public:
  /// On samples that every rank can read; they must outlive the object. `missing`: the mask, null
  /// without one; where it is set `values` may hold anything.
  RowPass(const parallel::Team& team, int threads, const data::BitPanels& values,
          const data::BitPanels* missing);
  /// On each rank's own slices; they must outlive the object. `n_rows`: of all ranks.
  RowPass(const parallel::Team& team, int threads, const RowSlices& slices, std::uint64_t n_rows);

  /// Only every `step`-th block of 256 rows of this: a sample of the rows for first steps.
  [[nodiscard]] RowPass thinned(std::uint64_t step) const { return part(step, 0); }
  /// Only its blocks of 256 rows number `which`, n + which, 2 n + which, ...: one of n parts.
  [[nodiscard]] RowPass part(std::uint64_t n, std::uint64_t which) const;

  /// The same rows, of which these of all their columns alone are visited, numbered from 0 on;
  /// `columns`: ascending.
  [[nodiscard]] RowPass with_columns(std::vector<std::uint32_t> columns) const;

  /// The same rows, of which each rank visits the same in every sum: for what a rank remembers of
  /// its rows. Otherwise a rank that has done its rows takes others, so that none waits for the
  /// slowest one.
  [[nodiscard]] RowPass in_fixed_shares() const;

  /// Those that it visits.
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return n_rows_; }
  /// Blocks of 256 rows that the samples have; block number b begins with row 256 b.
  [[nodiscard]] std::uint64_t n_blocks_of_samples() const noexcept;
  /// It visits every `step`-th block of the samples.
  [[nodiscard]] std::uint64_t step() const noexcept { return step_; }
  /// False if no value is missing.
  [[nodiscard]] bool may_miss() const noexcept;
  /// All rows in memory (a missing value may be anything), and the mask; null if no rank has them
  /// all, or if no value is missing. They have all columns, of which columns() are visited.
  [[nodiscard]] const data::BitPanels* values() const noexcept { return values_; }
  [[nodiscard]] const data::BitPanels* missing() const noexcept { return missing_; }
  /// Of values(), which are not null.
  [[nodiscard]] std::vector<std::uint32_t> columns() const;
  [[nodiscard]] int n_threads() const noexcept { return threads_; }
  [[nodiscard]] const parallel::Team& team() const noexcept { return *team_; }

  /// Adds what a block contributes to `sums`, which are 0 at first. `thread` < n_threads().
  using Work = std::function<void(const RowBlock& block, int thread, std::span<double> sums)>;
  /// n_sums sums over all rows, the same bytes at every rank and for any number of them.
  /// Collective.
  [[nodiscard]] std::vector<double> sum(std::size_t n_sums, const Work& work) const;

 private:
  struct Thread;
  /// Blocks that it visits, of so many of the samples.
  [[nodiscard]] std::uint64_t n_blocks(std::uint64_t n_of_all) const noexcept;
  void visit(const data::BitPanels& values, const data::BitPanels* missing, std::size_t first,
             std::uint64_t first_row, int number, Thread& thread, const Work& work) const;

  const parallel::Team* team_;
  int threads_;
  std::uint64_t n_all_;  // rows of the samples
  std::uint64_t n_rows_ = n_all_;
  std::uint64_t first_ = 0;  // visits blocks number first, first + step, first + 2 step, ...
  std::uint64_t step_ = 1;
  bool is_fixed_ = false;
  const data::BitPanels* values_ = nullptr;
  const data::BitPanels* missing_ = nullptr;
  const RowSlices* slices_ = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> columns_;  // null: all
};

// Rows shared by ranks and threads, and sums over all rows that do not depend on how.
//
// Rows go in blocks of 64, whose sums are a function of the data; blocks are added exactly
// (base/shared_sums.hpp). A rank has the same rows in every sum. Memory: 56 bytes per sum and
// thread. At 1,000 ranks the all-reduce of 48 bytes per sum comes to matter first.

/// The blocks of rows that this rank works on where a likelihood of rows is summed in blocks.
[[nodiscard]] BlockShare share_of_blocks(const parallel::Team& team);

class RowShare {
 public:
  RowShare(const parallel::Team& team, int threads, std::uint64_t n_rows);

  [[nodiscard]] std::uint64_t first() const noexcept { return first_; }  ///< of this rank
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] int n_threads() const noexcept { return threads_; }
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return n_rows_; }

  /// Calls `work` for each of this rank's rows, which must not throw.
  void for_each(const std::function<void(std::size_t row, int thread)>& work) const;
  /// Adds what the `row`-th of this rank's rows contributes to `sums`, which are 0 at first. Must
  /// not throw.
  using Work = std::function<void(std::size_t row, int thread, std::span<double> sums)>;
  /// n_sums sums over all rows of all ranks. Collective.
  [[nodiscard]] std::vector<double> sum(std::size_t n_sums, const Work& work) const;

 private:
  const parallel::Team* team_;
  int threads_;
  std::uint64_t n_rows_;
  std::uint64_t first_;
  std::size_t size_;
};

}  // namespace orrery::learning
