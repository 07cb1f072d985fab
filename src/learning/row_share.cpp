#include "learning/row_share.hpp"

#include <omp.h>

#include <algorithm>

#include "base/exact_sums.hpp"

namespace orrery::learning {
namespace {

constexpr std::size_t share_rows = 64;

}  // namespace

RowShare::RowShare(const parallel::Team& team, int threads, std::uint64_t n_rows)
    : team_(&team), threads_(threads), n_rows_(n_rows) {
  const std::uint64_t n_blocks = (n_rows + share_rows - 1) / share_rows;
  const auto rank = static_cast<std::uint64_t>(team.rank());
  const auto n_ranks = static_cast<std::uint64_t>(team.size());
  first_ = std::min(n_rows, n_blocks * rank / n_ranks * share_rows);
  size_ = std::min(n_rows, n_blocks * (rank + 1) / n_ranks * share_rows) - first_;
}

void RowShare::for_each(const std::function<void(std::size_t row, int thread)>& work) const {
#pragma omp parallel for schedule(dynamic, share_rows) num_threads(threads_)
  for (std::size_t row = 0; row < size_; ++row) work(row, omp_get_thread_num());
}

std::vector<double> RowShare::sum(std::size_t n_sums, const Work& work) const {
  // Allocated here: nothing may throw inside the parallel region.
  const auto n_threads = static_cast<std::size_t>(threads_);
  std::vector<ExactSums> totals(n_threads, ExactSums(n_sums));
  std::vector<std::vector<double>> of_block(n_threads, std::vector<double>(n_sums));
  const std::size_t n_blocks = (size_ + share_rows - 1) / share_rows;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::size_t block = 0; block < n_blocks; ++block) {
    const int thread = omp_get_thread_num();
    std::vector<double>& sums = of_block[static_cast<std::size_t>(thread)];
    std::ranges::fill(sums, 0.0);
    const std::size_t last = std::min(size_, (block + 1) * share_rows);
    for (std::size_t row = block * share_rows; row < last; ++row) work(row, thread, sums);
    ExactSums& total = totals[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < n_sums; ++i) total.add(i, sums[i]);
  }
  for (std::size_t i = 1; i < n_threads; ++i) totals[0].add(totals[i]);
  team_->sum_words(totals[0].words());
  std::vector<double> sums(n_sums);
  for (std::size_t i = 0; i < n_sums; ++i) sums[i] = totals[0].value(i);
  return sums;
}

BlockShare share_of_blocks(const parallel::Team& team) {
  BlockShare share{static_cast<std::size_t>(team.rank()), static_cast<std::size_t>(team.size())};
  if (team.size() > 1) {
    share.complete = [&team](std::vector<double>& values) { team.share_values(values); };
  }
  return share;
}

}  // namespace orrery::learning
