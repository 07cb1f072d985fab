// Rows shared by ranks and threads, and sums over all rows that do not depend on how.
//
// Rows go in blocks of 64, whose sums are a function of the data; blocks are added exactly
// (base/exact_sums.hpp). A rank has the same rows in every sum. Memory: 56 bytes per sum and
// thread. At 1,000 ranks the all-reduce of 48 bytes per sum comes to matter first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/block_share.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

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
