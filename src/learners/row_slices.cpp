#include "learners/row_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::learners {

data::BitColumns complete_block(store::SampleReader::Block block) {
  if (!block.missing) return std::move(block.values);
  const data::BitColumns& values = block.values;
  std::vector<std::uint64_t> kept(values.words_per_column(), 0);
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    kept[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  for (std::size_t c = 0; c < values.n_columns(); ++c) {
    const auto missing = std::as_const(*block.missing).column(c);
    for (std::size_t w = 0; w < kept.size(); ++w) kept[w] &= ~missing[w];
  }
  std::size_t n_kept = 0;
  for (const std::uint64_t word : kept) n_kept += static_cast<std::size_t>(std::popcount(word));
  data::BitColumns complete(values.n_columns(), n_kept);
  for (std::size_t c = 0; c < values.n_columns(); ++c) {
    const auto from = values.column(c);
    const auto to = complete.column(c);
    std::size_t row = 0;
    for (std::size_t w = 0; w < kept.size(); ++w) {
      for (std::uint64_t left = kept[w]; left != 0; left &= left - 1, ++row) {
        to[row / 64] |= ((from[w] >> std::countr_zero(left)) & 1U) << (row % 64);
      }
    }
  }
  return complete;
}

RowSlices::RowSlices(const parallel::Team& team, const data::BitPanels& whole)
    : first_block_(static_cast<std::size_t>(team.rank())),
      step_(static_cast<std::size_t>(team.size())),
      all_held_(true) {
  const std::size_t rows = data::block_rows(whole.n_columns());
  for (std::size_t row = first_block_ * rows; row < whole.n_rows(); row += step_ * rows) {
    held_.push_back({row, whole.view(row, std::min(rows, whole.n_rows() - row)), std::nullopt});
  }
}

RowSlices::RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold)
    : first_block_(static_cast<std::size_t>(team.rank())),
      step_(static_cast<std::size_t>(team.size())),
      reader_(std::make_unique<store::SampleReader>(path)),
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
  const data::BitColumns rows = complete_block(reader_->read(block));
  Slice slice{block * data::block_rows(rows.n_columns()),
              data::BitPanels(rows.n_columns(), rows.n_rows()), std::nullopt};
  slice.values.insert(0, rows);
  return slice;
}

bool RowSlices::for_each(const std::function<bool(const Slice&)>& visit) const {
  if (all_held_) return std::ranges::all_of(held_, visit);
  held_.clear();  // of a pass that was given up
  for (std::size_t block = first_block_; block < reader_->n_blocks(); block += step_) {
    Slice slice = read(block);
    if (slice.values.n_rows() > 0 && !visit(slice)) return false;
    if (hold_ && slice.values.n_rows() > 0) held_.push_back(std::move(slice));
  }
  all_held_ = hold_;
  return true;
}

}  // namespace orrery::learners
