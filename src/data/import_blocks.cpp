#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "data/readers.hpp"

namespace orrery::data {

namespace {

std::uint64_t count_ones(std::span<const std::uint64_t> words) {
  return std::transform_reduce(
      words.begin(), words.end(), std::uint64_t{0}, std::plus<>{},
      [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
}

}  // namespace

SampleBlocks::SampleBlocks(std::string file, const Columns& columns, SampleSink& sink)
    : file_(std::move(file)),
      may_lack_values_(columns.may_lack_values),
      sink_(sink),
      rows_per_block_(block_rows(columns.kept.size())) {
  summary_.names = columns.kept_names();
  summary_.ones.assign(n_columns(), 0);
  summary_.missing.assign(n_columns(), 0);
  sink_.begin(summary_.names);
}

void SampleBlocks::push(const BitColumns& values, const BitColumns* missing) {
  for (std::size_t c = 0; c < n_columns(); ++c) {
    summary_.ones[c] += count_ones(values.column(c));
    if (missing != nullptr) {
      const std::uint64_t n_missing = count_ones(missing->column(c));
      summary_.missing[c] += n_missing;
      summary_.n_missing += n_missing;
    }
  }
  summary_.n_samples += values.n_rows();
  sink_.append(values, missing);
}

ImportSummary SampleBlocks::finish(Format format, const RowNames& row_names) {
  require_some_values(file_, summary_.names, summary_.n_samples, summary_.missing,
                      may_lack_values_);
  summary_.has_row_names = are_fit(file_, row_names, summary_.n_samples);
  if (summary_.has_row_names) sink_.name_rows(row_names);
  summary_.format = format;
  return std::move(summary_);
}

DenseBlocks::DenseBlocks(std::string file, const Columns& columns, DenseSink& sink)
    : file_(std::move(file)),
      may_lack_values_(columns.may_lack_values),
      sink_(sink),
      block_(dense_block_rows(columns.kept.size()), columns.kept.size()) {
  summary_.names = columns.kept_names();
  summary_.missing.assign(n_columns(), 0);
  sink_.begin(summary_.names);
}

void DenseBlocks::finish_row() {
  ++summary_.n_samples;
  if (++n_rows_ == block_.n_rows) push();
}

void DenseBlocks::push() {
  block_.n_rows = n_rows_;
  block_.values.resize(n_rows_ * n_columns());
  for (std::size_t i = 0; i < n_rows_; ++i) {
    for (std::size_t c = 0; c < n_columns(); ++c) {
      const std::uint64_t is_missing = std::isnan(block_.row(i)[c]) ? 1 : 0;
      summary_.missing[c] += is_missing;
      summary_.n_missing += is_missing;
    }
  }
  sink_.append(block_);
  n_rows_ = 0;
}

DenseImportSummary DenseBlocks::finish(Format format, const RowNames& row_names) {
  if (n_rows_ > 0) push();
  require_some_values(file_, summary_.names, summary_.n_samples, summary_.missing,
                      may_lack_values_);
  summary_.has_row_names = are_fit(file_, row_names, summary_.n_samples);
  if (summary_.has_row_names) sink_.name_rows(row_names);
  summary_.format = format;
  return std::move(summary_);
}

namespace {

constexpr std::size_t rows_per_stripe = 64;
using Tile = std::array<std::uint64_t, 64>;

// Bit c of word r becomes bit r of word c: quadrants are exchanged, then quadrants of quadrants.
// At size h the mask selects the columns whose bit h is zero.
void transpose(Tile& tile) {
  std::uint64_t mask = 0x00000000FFFFFFFFU;
  for (unsigned h = 32; h != 0; h /= 2, mask ^= mask << h) {
    for (unsigned r = 0; r < 64; ++r) {
      if ((r & h) == 0) {
        const std::uint64_t difference = ((tile[r] >> h) ^ tile[r + h]) & mask;
        tile[r + h] ^= difference;
        tile[r] ^= difference << h;
      }
    }
  }
}

Tile take_tile(const std::vector<std::uint64_t>& rows, std::size_t words_per_row, std::size_t tile,
               std::size_t n_rows) {
  Tile result{};
  for (std::size_t r = 0; r < n_rows; ++r) {
    result[r] = rows[r * words_per_row + tile];
  }
  return result;
}

}  // namespace

RowStage::RowStage(const Columns& columns, SampleBlocks& blocks)
    : columns_(columns),
      blocks_(blocks),
      words_per_row_((columns.size() + 63) / 64),
      values_(rows_per_stripe * words_per_row_),
      block_(blocks.n_columns(), blocks.rows_per_block()) {}

void RowStage::set_missing(std::size_t column) {
  missing_.resize(values_.size());
  missing_[row_ * words_per_row_ + column / 64] |= std::uint64_t{1} << (column % 64);
  stripe_has_missing_ = true;
}

void RowStage::finish_row() {
  if (++row_ < rows_per_stripe) {
    return;
  }
  flush_stripe();
  if (stripe_ * rows_per_stripe == blocks_.rows_per_block()) {
    push_block();
  }
}

void RowStage::finish() {
  const std::size_t n_rows = stripe_ * rows_per_stripe + row_;
  if (row_ > 0) {
    flush_stripe();
  }
  if (n_rows > 0) {
    block_.truncate(n_rows);
    if (block_has_missing_) {
      missing_block_->truncate(n_rows);
    }
    push_block();
  }
}

void RowStage::flush_stripe() {
  if (stripe_has_missing_ && !block_has_missing_) {
    missing_block_.emplace(block_.n_columns(), block_.n_rows());
    block_has_missing_ = true;
  }
  kept_before_tile_ = 0;
  for (std::size_t tile = 0; tile < words_per_row_; ++tile) {
    flush_tile(tile);
  }
  if (stripe_has_missing_) {
    std::fill(missing_.begin(), missing_.end(), 0);
    stripe_has_missing_ = false;
  }
  row_ = 0;
  ++stripe_;
}

void RowStage::flush_tile(std::size_t tile) {
  Tile values = take_tile(values_, words_per_row_, tile, row_);
  Tile missing{};
  if (stripe_has_missing_) {
    missing = take_tile(missing_, words_per_row_, tile, row_);
    for (std::size_t r = 0; r < row_; ++r) {
      values[r] &= ~missing[r];
    }
    transpose(missing);
  }
  transpose(values);
  const std::size_t n_columns = std::min<std::size_t>(64, columns_.size() - 64 * tile);
  for (std::size_t j = 0; j < n_columns; ++j) {
    if (columns_.is_kept[64 * tile + j] == 0) {
      continue;
    }
    block_.column(kept_before_tile_)[stripe_] = values[j];
    if (stripe_has_missing_) {
      missing_block_->column(kept_before_tile_)[stripe_] = missing[j];
    }
    ++kept_before_tile_;
  }
}

void RowStage::push_block() {
  blocks_.push(block_, block_has_missing_ ? &*missing_block_ : nullptr);
  block_has_missing_ = false;
  stripe_ = 0;
}

}  // namespace orrery::data
