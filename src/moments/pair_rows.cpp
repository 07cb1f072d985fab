#include "moments/pair_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "orrery/kernels/kernels.hpp"

namespace orrery::moments {
namespace {

constexpr std::size_t strip_bits = kernels::strip_bits;
constexpr std::size_t strip_words = strip_bits / 64;
constexpr std::size_t words_at_once = rows_at_once / 64;
constexpr std::size_t strips_of_band = 4;
constexpr std::size_t band_columns = strips_of_band * strip_bits;

std::size_t strips(const RowPairs& pairs) {
  return (pairs.order.size() + strip_bits - 1) / strip_bits;
}
std::size_t bands(const RowPairs& pairs) {
  return (strips(pairs) + strips_of_band - 1) / strips_of_band;
}

/// Rows in which each of the sparse columns is on, from the first of some.
class RowsOn {
 public:
  void clear() { begin_.assign(1, 0); }
  /// The next column, of so many words.
  void add(const std::uint64_t* words, std::size_t n_words) {
    const std::size_t most = begin_.back() + 64 * n_words + 2;
    if (rows_.size() < most) rows_.resize(2 * most);
    begin_.push_back(begin_.back() + kernels::active().list_rows(words, data::panel_lanes, n_words,
                                                                 rows_.data() + begin_.back()));
  }
  [[nodiscard]] std::size_t n_columns() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const std::uint16_t> of(std::size_t i) const {
    return {rows_.data() + begin_[i], rows_.data() + begin_[i + 1]};
  }

 private:
  std::vector<std::uint16_t> rows_;
  std::vector<std::size_t> begin_;
};

const std::uint64_t* column(const RowPairs& pairs, std::size_t i, std::size_t first_word) {
  const std::size_t a = pairs.order[i];
  return pairs.values.panel(a / data::panel_lanes) + data::panel_lanes * first_word +
         a % data::panel_lanes;
}

/// Rows of bits of the columns from `first` on, as many as there are up to 512.
void fill_strip(const RowPairs& pairs, std::size_t first, std::size_t first_word,
                std::size_t n_words, std::uint64_t* lines) {
  static constexpr std::uint64_t nothing = 0;
  for (std::size_t c = 0; c < 64; ++c) {  // eight columns at once, a line of Kernel::transpose
    std::array<const std::uint64_t*, strip_words> from{};
    std::array<std::size_t, strip_words> step{};
    for (std::size_t k = 0; k < strip_words; ++k) {
      const std::size_t i = first + 64 * k + c;
      from[k] = i < pairs.order.size() ? column(pairs, i, first_word) : &nothing;
      step[k] = i < pairs.order.size() ? data::panel_lanes : 0;
    }
    for (std::size_t w = 0; w < n_words; ++w) {
      std::uint64_t* line = lines + strip_bits * w + strip_words * c;
      for (std::size_t k = 0; k < strip_words; ++k) line[k] = from[k][step[k] * w];
    }
  }
  kernels::active().transpose(lines, n_words);
}

/// Sums of a band: sparse columns up to its last against its columns.
void add_to_table(const RowPairs& pairs, std::size_t first, const std::vector<std::uint32_t>& sums,
                  std::vector<std::uint64_t>& both_on) {
  const std::size_t m = pairs.order.size();
  const std::size_t last = std::min(first + band_columns, m);
  for (std::size_t i = 0; i < std::min(last, pairs.n_sparse); ++i) {
    const std::uint32_t* sum = sums.data() + band_columns * i;
    std::uint64_t* to = both_on.data() + m * pairs.order[i];
    for (std::size_t j = std::max(first, i); j < last; ++j) {
      // Other threads may be adding other rows of the same pairs.
      if (sum[j - first] == 0) continue;
      std::atomic_ref(to[pairs.order[j]]).fetch_add(sum[j - first], std::memory_order_relaxed);
    }
  }
}

}  // namespace

std::size_t RowPairs::n_units() const noexcept {
  if (n_sparse == 0) return 0;
  return bands(*this) * ((values.n_rows() + rows_of_unit - 1) / rows_of_unit);
}

void RowPairs::count(std::size_t unit, std::vector<std::uint64_t>& both_on) const {
  const std::size_t m = order.size();
  const std::size_t first = unit % bands(*this) * band_columns;
  const std::size_t last = std::min(first + band_columns, m);
  const std::size_t first_word = unit / bands(*this) * (rows_of_unit / 64);
  const std::size_t last_word = std::min(first_word + rows_of_unit / 64, values.n_words());
  std::vector<std::uint32_t> sums(band_columns * std::min(last, n_sparse), 0);
  data::AlignedVector<std::uint64_t> lines(strip_words * rows_at_once);
  RowsOn on;
  for (std::size_t w = first_word; w < last_word; w += words_at_once) {
    const std::size_t n_words = std::min(words_at_once, last_word - w);
    on.clear();
    for (std::size_t strip = 0; strip < last; strip += strip_bits) {
      const std::size_t end = std::min({strip + strip_bits, last, n_sparse});
      while (on.n_columns() < end) on.add(column(*this, on.n_columns(), w), n_words);
      if (strip < first) continue;
      fill_strip(*this, strip, w, n_words, lines.data());
      for (std::size_t i = 0; i < on.n_columns(); ++i) {
        const auto rows = on.of(i);
        kernels::active().add_rows(lines.data(), rows.data(), rows.size(),
                                   sums.data() + band_columns * i + (strip - first));
      }
    }
  }
  add_to_table(*this, first, sums, both_on);
}

}  // namespace orrery::moments
