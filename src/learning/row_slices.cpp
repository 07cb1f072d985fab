#include "learning/row_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::learning {

void set_missing_on(store::SampleReader::Block& block) {
  if (!block.missing) return;
  const std::span<std::uint64_t> values = block.values.words();
  const std::span<const std::uint64_t> missing = std::as_const(*block.missing).words();
  for (std::size_t w = 0; w < values.size(); ++w) values[w] |= missing[w];
}

std::uint64_t count_incomplete_rows(const data::BitPanels& missing) {
  std::uint64_t n = 0;
  for (std::size_t w = 0; w < missing.n_words(); ++w) {
    std::uint64_t any = 0;
    for (std::size_t c = 0; c < missing.n_columns(); ++c) any |= missing.word(c, w);
    n += static_cast<std::uint64_t>(std::popcount(any));
  }
  return n;
}

RowSlices::RowSlices(const parallel::Team& team, const data::BitPanels& values,
                     const data::BitPanels* missing)
    : first_block_(static_cast<std::size_t>(team.rank())),
      step_(static_cast<std::size_t>(team.size())),
      may_miss_(missing != nullptr),
      all_held_(true) {
  const std::size_t rows = data::block_rows(values.n_columns());
  for (std::size_t row = first_block_ * rows; row < values.n_rows(); row += step_ * rows) {
    const std::size_t n = std::min(rows, values.n_rows() - row);
    Slice& slice = held_.emplace_back(Slice{row, values.view(row, n), std::nullopt});
    if (missing != nullptr) slice.missing = missing->view(row, n);
  }
}

RowSlices::RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold)
    : first_block_(static_cast<std::size_t>(team.rank())),
      step_(static_cast<std::size_t>(team.size())),
      reader_(std::make_unique<store::SampleReader>(path)),
      may_miss_(reader_->header().has_missing),
      hold_(hold) {
  // Hosts may have other files of this name.
  const store::SampleHeader& own = reader_->header();
  std::vector<std::uint64_t> of_root{own.n_samples, own.n_observed, own.digest};
  team.broadcast(of_root);
  if (of_root != std::vector<std::uint64_t>{own.n_samples, own.n_observed, own.digest}) {
    throw InputError(fmt::format(
        "{}: {} rows x {} columns (digest {:016x}) here, but {} x {} (digest {:016x}) on {}, where "
        "rank 0 is; give all hosts the same file",
        path.string(), own.n_samples, own.n_observed, own.digest, of_root[0], of_root[1],
        of_root[2], team.hosts().front()));
  }
}

RowSlices::Slice RowSlices::read(std::size_t block) const {
  store::SampleReader::Block rows = reader_->read(block);
  set_missing_on(rows);
  const std::size_t m = rows.values.n_columns();
  const std::size_t n = rows.values.n_rows();
  Slice slice{block * data::block_rows(m), data::BitPanels(m, n), std::nullopt};
  slice.values.insert(0, rows.values);
  if (rows.missing) slice.missing.emplace(m, n).insert(0, *rows.missing);
  return slice;
}

bool RowSlices::for_each(const std::function<bool(const Slice&)>& visit) const {
  if (all_held_) return std::ranges::all_of(held_, visit);
  held_.clear();  // of a pass that was given up
  for (std::size_t block = first_block_; block < reader_->n_blocks(); block += step_) {
    Slice slice = read(block);
    if (!visit(slice)) return false;
    if (hold_) held_.push_back(std::move(slice));
  }
  all_held_ = hold_;
  return true;
}

}  // namespace orrery::learning
