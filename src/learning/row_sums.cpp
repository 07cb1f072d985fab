#include "learning/row_sums.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/progress.hpp"
#include "base/shared_sums.hpp"
#include "data/bits.hpp"
#include "learning/row_slices.hpp"
#include "parallel/ledger.hpp"

namespace orrery::learning {
namespace {

constexpr std::size_t block_rows = rows_of_sum;

/// Rows [first, first + n_rows) of `panels`, row after row; first is a multiple of 64. `columns`:
/// those that are wanted, or null.
void transpose_rows(const data::BitPanels& panels, const std::vector<std::uint32_t>* columns,
                    std::size_t first, std::size_t n_rows, std::vector<std::uint64_t>& rows) {
  const std::size_t m = columns != nullptr ? columns->size() : panels.n_columns();
  const std::size_t n_words = (m + 63) / 64;
  rows.resize(block_rows * n_words);
  for (std::size_t group = 0; group < n_rows; group += 64) {
    for (std::size_t word = 0; word < n_words; ++word) {
      data::BitSquare square{};
      const std::size_t n = std::min<std::size_t>(64, m - 64 * word);
      for (std::size_t c = 0; c < n; ++c) {
        const std::size_t a = 64 * word + c;
        square[c] = panels.word(columns != nullptr ? (*columns)[a] : a, (first + group) / 64);
      }
      data::transpose(square);
      for (std::size_t r = 0; r < 64; ++r) rows[(group + r) * n_words + word] = square[r];
    }
  }
}

}  // namespace

/// What a thread has of its own.
struct RowPass::Thread {
  ExactSums total;
  std::vector<double> sums;  // of a block
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> missing;

  explicit Thread(std::size_t n_sums) : total(n_sums), sums(n_sums) {}
};

RowPass::RowPass(const parallel::Team& team, int threads, const data::BitPanels& values,
                 const data::BitPanels* missing)
    : team_(&team),
      threads_(threads),
      n_all_(values.n_rows()),
      values_(&values),
      missing_(missing) {}

RowPass::RowPass(const parallel::Team& team, int threads, const RowSlices& slices,
                 std::uint64_t n_rows)
    : team_(&team), threads_(threads), n_all_(n_rows), slices_(&slices) {}

RowPass RowPass::part(std::uint64_t n, std::uint64_t which) const {
  RowPass chosen = *this;
  chosen.first_ = first_ + which * step_;
  chosen.step_ = n * step_;
  const std::uint64_t n_blocks = n_blocks_of_samples();
  const std::uint64_t n_chosen = chosen.n_blocks(n_blocks);
  // The last block of all may be shorter.
  const bool with_last = n_chosen > 0 && (n_blocks - 1 - chosen.first_) % chosen.step_ == 0;
  chosen.n_rows_ = n_chosen * block_rows - (with_last ? n_blocks * block_rows - n_all_ : 0);
  return chosen;
}

RowPass RowPass::with_columns(std::vector<std::uint32_t> columns) const {
  RowPass chosen = *this;
  chosen.columns_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(columns));
  return chosen;
}

std::vector<std::uint32_t> RowPass::columns() const {
  if (columns_) return *columns_;
  std::vector<std::uint32_t> all(values_->n_columns());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

RowPass RowPass::in_fixed_shares() const {
  RowPass fixed = *this;
  fixed.is_fixed_ = true;
  return fixed;
}

std::uint64_t RowPass::n_blocks_of_samples() const noexcept {
  return (n_all_ + block_rows - 1) / block_rows;
}

std::uint64_t RowPass::n_blocks(std::uint64_t n_of_all) const noexcept {
  return first_ < n_of_all ? (n_of_all - first_ + step_ - 1) / step_ : 0;
}

bool RowPass::may_miss() const noexcept {
  return slices_ != nullptr ? slices_->may_miss() : missing_ != nullptr;
}

void RowPass::visit(const data::BitPanels& values, const data::BitPanels* missing,
                    std::size_t first, std::uint64_t first_row, int number, Thread& thread,
                    const Work& work) const {
  RowBlock block;
  block.first_row = first_row;
  block.n_rows = std::min(block_rows, values.n_rows() - first);
  block.n_words = ((columns_ ? columns_->size() : values.n_columns()) + 63) / 64;
  transpose_rows(values, columns_.get(), first, block.n_rows, thread.values);
  block.values = std::span(thread.values).first(block.n_rows * block.n_words);
  if (missing != nullptr) {
    transpose_rows(*missing, columns_.get(), first, block.n_rows, thread.missing);
    for (std::size_t i = 0; i < thread.missing.size(); ++i) thread.values[i] &= ~thread.missing[i];
    block.missing = std::span(thread.missing).first(block.n_rows * block.n_words);
  }
  std::ranges::fill(thread.sums, 0.0);
  work(block, number, thread.sums);
  for (std::size_t i = 0; i < thread.sums.size(); ++i) thread.total.add(i, thread.sums[i]);
}

std::vector<double> RowPass::sum(std::size_t n_sums, const Work& work) const {
  std::vector<Thread> threads(static_cast<std::size_t>(threads_), Thread(n_sums));
  const auto thread_of = [&](int number) -> Thread& {
    return threads[static_cast<std::size_t>(number)];
  };
  if (values_ != nullptr) {
    const std::uint64_t n_units = n_blocks(n_blocks_of_samples());
    const auto visit_unit = [&](std::uint64_t unit, int number) {
      const std::size_t first = (first_ + unit * step_) * block_rows;
      visit(*values_, missing_, first, first, number, thread_of(number), work);
    };
    if (is_fixed_) {
      const parallel::SharedTime time(threads_);
      const auto rank = static_cast<std::uint64_t>(team_->rank());
      const auto n_ranks = static_cast<std::uint64_t>(team_->size());
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
      for (std::uint64_t unit = rank; unit < n_units; unit += n_ranks) {
        visit_unit(unit, omp_get_thread_num());
      }
    } else {
      Progress silent("", 0, "");
      team_->for_each_unit(n_units, threads_, silent, visit_unit);
    }
  } else {
    const parallel::SharedTime time(threads_);
    slices_->for_each([&](const RowSlices::Slice& slice) {
      const std::size_t n = (slice.values.n_rows() + block_rows - 1) / block_rows;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
      for (std::size_t unit = 0; unit < n; ++unit) {
        const std::uint64_t block = slice.first_row / block_rows + unit;
        if (block < first_ || (block - first_) % step_ != 0) continue;
        const int number = omp_get_thread_num();
        visit(slice.values, slice.missing ? &*slice.missing : nullptr, unit * block_rows,
              slice.first_row + unit * block_rows, number, thread_of(number), work);
      }
      return true;
    });
  }
  for (std::size_t i = 1; i < threads.size(); ++i) threads[0].total.add(threads[i].total);
  team_->sum_words(threads[0].total.words());
  std::vector<double> sums(n_sums);
  for (std::size_t i = 0; i < n_sums; ++i) sums[i] = threads[0].total.value(i);
  return sums;
}

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
  const parallel::SharedTime time(threads_);
#pragma omp parallel for schedule(dynamic, share_rows) num_threads(threads_)
  for (std::size_t row = 0; row < size_; ++row) work(row, omp_get_thread_num());
}

std::vector<double> RowShare::sum(std::size_t n_sums, const Work& work) const {
  // Allocated here: nothing may throw inside the parallel region.
  const auto n_threads = static_cast<std::size_t>(threads_);
  std::vector<ExactSums> totals(n_threads, ExactSums(n_sums));
  std::vector<std::vector<double>> of_block(n_threads, std::vector<double>(n_sums));
  const std::size_t n_blocks = (size_ + share_rows - 1) / share_rows;
  std::optional<parallel::SharedTime> time(threads_);
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
  time.reset();
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
