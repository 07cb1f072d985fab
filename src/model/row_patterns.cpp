#include "model/row_patterns.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "data/bits.hpp"

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

RowPatterns::RowPatterns(std::size_t n_columns, bool may_miss)
    : n_columns_(n_columns),
      n_words_((n_columns + 63) / 64),
      key_words_(may_miss ? 2 * n_words_ : n_words_),
      slots_(1024, 0) {}

RowPatterns::RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns)
    : RowPatterns(columns.size(), samples.missing.has_value()) {
  add_all(samples.values, samples.missing ? &*samples.missing : nullptr, columns,
          std::numeric_limits<std::size_t>::max());
}

RowPatterns::RowPatterns(const data::BitPanels& values, const data::BitPanels* missing,
                         std::size_t most)
    : RowPatterns(values.n_columns(), missing != nullptr) {
  std::vector<std::uint32_t> columns(values.n_columns());
  std::iota(columns.begin(), columns.end(), 0U);
  add_all(values, missing, columns, most);
  if (size() > most) *this = RowPatterns(values.n_columns(), missing != nullptr);
}

void RowPatterns::add_all(const data::BitPanels& values, const data::BitPanels* missing,
                          std::span<const std::uint32_t> columns, std::size_t most) {
  std::vector<std::uint64_t> keys(64 * key_words_);
  for (std::size_t group = 0; group < values.n_words() && size() <= most; ++group) {
    gather_rows(values, columns, group, key_words_, 0, keys);
    if (missing != nullptr) gather_rows(*missing, columns, group, key_words_, n_words_, keys);
    const std::size_t n_rows = std::min<std::size_t>(64, values.n_rows() - 64 * group);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::span key(keys.data() + r * key_words_, key_words_);
      for (std::size_t w = n_words_; w < key_words_; ++w) key[w - n_words_] &= ~key[w];
      add(key);
    }
  }
}

data::SampleMatrix RowPatterns::as_samples() const {
  data::SampleMatrix samples;
  const auto put = [](data::BitPanels& panels, std::size_t row,
                      std::span<const std::uint64_t> words) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
        panels.set(row, 64 * w + static_cast<std::size_t>(std::countr_zero(rest)), true);
      }
    }
  };
  samples.values = data::BitPanels(n_columns_, size());
  if (key_words_ > n_words_) samples.missing.emplace(n_columns_, size());
  for (std::size_t i = 0; i < size(); ++i) {
    put(samples.values, i, values(i));
    if (samples.missing) put(*samples.missing, i, missing(i));
  }
  return samples;
}

std::size_t RowPatterns::find_slot(std::span<const std::uint64_t> wanted) const noexcept {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash_words(wanted) & last;
  while (slots_[slot] != 0 && !std::ranges::equal(key(slots_[slot] - 1), wanted)) {
    slot = (slot + 1) & last;
  }
  return slot;
}

std::size_t RowPatterns::add(std::span<const std::uint64_t> row) {
  const std::size_t slot = find_slot(row);
  if (slots_[slot] != 0) {
    const std::size_t known = slots_[slot] - 1;
    ++counts_[known];
    return known;
  }
  keys_.insert(keys_.end(), row.begin(), row.end());
  counts_.push_back(1);
  slots_[slot] = counts_.size();
  if (2 * counts_.size() > slots_.size()) grow();
  return counts_.size() - 1;
}

void RowPatterns::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (std::size_t i = 0; i < counts_.size(); ++i) slots_[find_slot(key(i))] = i + 1;
}

}  // namespace orrery::model
