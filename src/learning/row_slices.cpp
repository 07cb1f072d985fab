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

namespace {

/// Of n_rows rows those of this rank.
parallel::Team::Part rows_of(const parallel::Team& team, std::size_t n_rows) {
  const auto [begin, end] = team.part_of((n_rows + rows_of_sum - 1) / rows_of_sum);
  return {begin * rows_of_sum, std::min(end * rows_of_sum, n_rows)};
}

/// Rows from `first` on, a multiple of 64.
data::BitPanels part_of(const data::BitPanels& all, std::size_t first, std::size_t n_rows) {
  data::BitPanels part(all.n_columns(), n_rows);
  for (std::size_t p = 0; p < all.n_panels(); ++p) {
    std::copy_n(all.panel(p) + data::panel_lanes * (first / 64), data::panel_lanes * part.n_words(),
                part.words().data() + data::panel_lanes * p * part.n_words());
  }
  return part;
}

}  // namespace

RowSlices::RowSlices(const parallel::Team& team, const data::BitPanels& values,
                     const data::BitPanels* missing)
    : may_miss_(missing != nullptr), all_held_(true) {
  const auto [first, last] = rows_of(team, values.n_rows());
  const std::size_t rows = data::block_rows(values.n_columns());
  for (std::size_t row = first; row < last;) {
    const std::size_t n = std::min(rows - row % rows, last - row);
    Slice& slice = held_.emplace_back(Slice{row, values.view(row, n), std::nullopt});
    if (missing != nullptr) slice.missing = missing->view(row, n);
    row += n;
  }
}

RowSlices::RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold)
    : reader_(std::make_unique<store::SampleReader>(path)),
      may_miss_(reader_->header().has_missing),
      hold_(hold) {
  const auto [first, last] = rows_of(team, reader_->header().n_samples);
  first_row_ = first;
  last_row_ = last;
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
  const std::size_t begin = block * data::block_rows(m);
  const std::size_t end = begin + rows.values.n_rows();
  const std::size_t first = std::max(begin, first_row_);
  const std::size_t n = std::min(end, last_row_) - first;
  const auto own = [&](const data::BitColumns& bits) {
    data::BitPanels panels(m, bits.n_rows());
    panels.insert(0, bits);
    return n == bits.n_rows() ? std::move(panels) : part_of(panels, first - begin, n);
  };
  Slice slice{first, own(rows.values), std::nullopt};
  if (rows.missing) slice.missing = own(*rows.missing);
  return slice;
}

bool RowSlices::read_each(const std::function<bool(Slice&& slice)>& visit) const {
  const std::size_t rows = data::block_rows(reader_->header().n_observed);
  if (first_row_ == last_row_) return true;  // more ranks than parts
  for (std::size_t block = first_row_ / rows; block * rows < last_row_; ++block) {
    if (!visit(read(block))) return false;
  }
  return true;
}

bool RowSlices::for_each(const std::function<bool(const Slice&)>& visit) const {
  if (all_held_) return std::ranges::all_of(held_, visit);
  held_.clear();  // of a pass that was given up
  const bool to_the_end = read_each([&](Slice&& slice) {
    if (!visit(slice)) return false;
    if (hold_) held_.push_back(std::move(slice));
    return true;
  });
  all_held_ = hold_ && to_the_end;
  return to_the_end;
}

}  // namespace orrery::learning
