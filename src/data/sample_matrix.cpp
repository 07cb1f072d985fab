#include "orrery/data/sample_matrix.hpp"

#include <algorithm>
#include <bit>

namespace orrery::data {

BitPanels::BitPanels(std::size_t n_columns, std::size_t n_rows)
    : n_columns_(n_columns),
      n_rows_(n_rows),
      n_words_((n_rows + 63) / 64),
      own_(words_needed(n_columns, n_rows), 0),
      words_(own_) {}

BitPanels::BitPanels(std::size_t n_columns, std::size_t n_rows, std::uint64_t* words)
    : n_columns_(n_columns),
      n_rows_(n_rows),
      n_words_((n_rows + 63) / 64),
      words_(words, words_needed(n_columns, n_rows)) {}

BitPanels::BitPanels(const BitPanels& other)
    : n_columns_(other.n_columns_),
      n_rows_(other.n_rows_),
      n_words_(other.n_words_),
      own_(other.words_.begin(), other.words_.end()),
      words_(own_) {}

void BitPanels::set(std::size_t row, std::size_t column, bool value) noexcept {
  std::uint64_t& word =
      words_[(column / panel_lanes * n_words_ + row / 64) * panel_lanes + column % panel_lanes];
  const std::uint64_t bit = std::uint64_t{1} << (row % 64);
  word = value ? word | bit : word & ~bit;
}

bool BitPanels::operator==(const BitPanels& other) const noexcept {
  return n_columns_ == other.n_columns_ && n_rows_ == other.n_rows_ &&
         std::ranges::equal(words_, other.words_);
}

void BitPanels::insert(std::size_t first_row, const BitColumns& block) {
  const std::size_t first_word = first_row / 64;
  for (std::size_t c = 0; c < n_columns_; ++c) {
    const auto column = block.column(c);
    std::uint64_t* lane =
        words_.data() + (c / panel_lanes * n_words_ + first_word) * panel_lanes + c % panel_lanes;
    for (std::size_t w = 0; w < column.size(); ++w) lane[panel_lanes * w] = column[w];
  }
}

BitColumns BitPanels::extract(std::size_t first_row, std::size_t n_rows) const {
  BitColumns block(n_columns_, n_rows);
  for (std::size_t c = 0; c < n_columns_; ++c) {
    auto column = block.column(c);
    for (std::size_t w = 0; w < column.size(); ++w) column[w] = word(c, first_row / 64 + w);
  }
  block.truncate(n_rows);
  return block;
}

SampleMatrix complete_rows(const SampleMatrix& samples) {
  if (!samples.missing) return samples;
  const BitPanels& missing = *samples.missing;
  std::vector<std::uint64_t> any(samples.values.n_words(), 0);
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    for (std::size_t w = 0; w < any.size(); ++w) any[w] |= missing.word(c, w);
  }
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < samples.n_samples(); ++row) {
    if (((any[row / 64] >> (row % 64)) & 1U) == 0) kept.push_back(row);
  }
  SampleMatrix complete;
  complete.names = samples.names;
  complete.digest = samples.digest;
  complete.values = BitPanels(samples.n_observed(), kept.size());
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    for (std::size_t row = 0; row < kept.size(); ++row) {
      if (samples.values.at(kept[row], c)) complete.values.set(row, c, true);
    }
  }
  return complete;
}

}  // namespace orrery::data
