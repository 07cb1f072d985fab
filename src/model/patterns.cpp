#include "model/patterns.hpp"

#include <algorithm>

#include "orrery/data/bit_transpose.hpp"

namespace orrery::model {
namespace {

// Multiply and fold, word by word, with the constants of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t hash_words(std::span<const std::uint64_t> words) noexcept {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9U;
    hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
    hash ^= hash >> 31U;
  }
  return hash;
}

// Rows [64 group, 64 group + 64) of the columns into keys[r * stride + offset + w].
void gather_rows(const data::BitPanels& panels, std::span<const std::uint32_t> columns,
                 std::size_t group, std::size_t stride, std::size_t offset,
                 std::vector<std::uint64_t>& keys) {
  for (std::size_t first = 0; first < columns.size(); first += 64) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, columns.size() - first);
    for (std::size_t i = 0; i < n; ++i) square[i] = panels.word(columns[first + i], group);
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) keys[r * stride + offset + first / 64] = square[r];
  }
}

}  // namespace

RowPatterns::RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns)
    : n_words_((columns.size() + 63) / 64),
      key_words_(samples.missing ? 2 * n_words_ : n_words_),
      slots_(1024, 0) {
  std::vector<std::uint64_t> keys(64 * key_words_);
  for (std::size_t group = 0; group < samples.values.n_words(); ++group) {
    gather_rows(samples.values, columns, group, key_words_, 0, keys);
    if (samples.missing) gather_rows(*samples.missing, columns, group, key_words_, n_words_, keys);
    const std::size_t n_rows = std::min<std::size_t>(64, samples.n_samples() - 64 * group);
    for (std::size_t r = 0; r < n_rows; ++r) add({keys.data() + r * key_words_, key_words_});
  }
}

std::size_t RowPatterns::find_slot(std::span<const std::uint64_t> wanted) const noexcept {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash_words(wanted) & last;
  while (slots_[slot] != 0 && !std::ranges::equal(key(slots_[slot] - 1), wanted)) {
    slot = (slot + 1) & last;
  }
  return slot;
}

void RowPatterns::add(std::span<const std::uint64_t> row) {
  const std::size_t slot = find_slot(row);
  if (slots_[slot] != 0) {
    ++counts_[slots_[slot] - 1];
    return;
  }
  keys_.insert(keys_.end(), row.begin(), row.end());
  counts_.push_back(1);
  slots_[slot] = counts_.size();
  if (2 * counts_.size() > slots_.size()) grow();
}

void RowPatterns::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (std::size_t i = 0; i < counts_.size(); ++i) slots_[find_slot(key(i))] = i + 1;
}

}  // namespace orrery::model
