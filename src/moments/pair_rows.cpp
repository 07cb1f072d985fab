#include "moments/pair_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "kernels/kernels.hpp"

namespace orrery::moments {
namespace {

constexpr std::size_t strip_bits = kernels::strip_bits;
constexpr std::size_t strip_words = strip_bits / 64;
constexpr std::size_t words_at_once = rows_at_once / 64;

std::size_t band_columns(const RowPairs& pairs) {
  return strip_bits * std::max<std::size_t>(1, pairs.most_sums / (strip_bits * pairs.order.size()));
}
std::size_t n_bands(const RowPairs& pairs) {
  return (pairs.order.size() + band_columns(pairs) - 1) / band_columns(pairs);
}

const std::uint64_t* word_of(const data::BitPanels& values, std::size_t column, std::size_t w) {
  return values.panel(column / data::panel_lanes) + data::panel_lanes * w +
         column % data::panel_lanes;
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
      from[k] =
          i < pairs.order.size() ? word_of(pairs.values, pairs.order[i], first_word) : &nothing;
      step[k] = i < pairs.order.size() ? data::panel_lanes : 0;
    }
    for (std::size_t w = 0; w < n_words; ++w) {
      std::uint64_t* line = lines + strip_bits * w + strip_words * c;
      for (std::size_t k = 0; k < strip_words; ++k) line[k] = from[k][step[k] * w];
    }
  }
  kernels::active().transpose(lines, n_words);
}

/// The rows in which each sparse column is on.
class RowsOn {
 public:
  /// Of the first `n` by density.
  RowsOn(const RowPairs& pairs, std::size_t n) : spans_(n) {
    for (std::uint32_t i = 0; i < n; ++i) places_.push_back({pairs.order[i], i});
    std::ranges::sort(places_);
  }
  /// Among these words. Columns as they lie in memory: those of a panel share its cache lines.
  void list(const data::BitPanels& values, std::size_t first_word, std::size_t n_words) {
    std::size_t n = 0;
    for (const auto& [a, i] : places_) {
      if (rows_.size() < n + 64 * n_words + 2) rows_.resize(2 * (n + 64 * n_words + 2));
      const std::size_t n_on = kernels::active().list_rows(
          word_of(values, a, first_word), data::panel_lanes, n_words, rows_.data() + n);
      spans_[i] = {n, n_on};
      n += n_on;
    }
  }
  [[nodiscard]] std::span<const std::uint16_t> of(std::size_t i) const {
    return std::span(rows_).subspan(spans_[i].first, spans_[i].second);
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // column, its place by density
  std::vector<std::uint16_t> rows_;
  std::vector<std::pair<std::size_t, std::size_t>> spans_;  // first, number; by density
};

/// Of the sparse columns before the band's last with its columns, from their own strip on.
class BandSums {
 public:
  BandSums(const RowPairs& pairs, std::size_t first, std::size_t last)
      : first_(first), last_(last), n_(std::min(last, pairs.n_sparse)) {
    const std::size_t end = (last + strip_bits - 1) / strip_bits * strip_bits;
    std::size_t size = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      begin_.push_back(size);
      size += end - from(i);
    }
    sums_.resize(size);
  }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_; }
  /// Column i with a strip: not before its own.
  [[nodiscard]] std::uint32_t* of(std::size_t i, std::size_t strip) {
    return sums_.data() + begin_[i] + (strip - from(i));
  }
  void add_to(std::vector<std::uint64_t>& both_on, std::span<const std::uint32_t> order) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint32_t* sum = sums_.data() + begin_[i];
      std::uint64_t* to = both_on.data() + order.size() * order[i];
      for (std::size_t j = std::max(first_, i); j < last_; ++j) {
        const std::uint32_t rows = sum[j - from(i)];
        // Other threads may be adding other rows of the same pairs.
        if (rows > 0) std::atomic_ref(to[order[j]]).fetch_add(rows, std::memory_order_relaxed);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t from(std::size_t i) const noexcept {
    return std::max(first_, i / strip_bits * strip_bits);
  }
  std::size_t first_;
  std::size_t last_;
  std::size_t n_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace

std::size_t RowPairs::n_units() const noexcept {
  if (n_sparse == 0) return 0;
  return n_bands(*this) * ((values.n_rows() + rows_of_unit - 1) / rows_of_unit);
}

void RowPairs::count(std::size_t unit, std::vector<std::uint64_t>& both_on) const {
  const std::size_t first = unit % n_bands(*this) * band_columns(*this);
  const std::size_t last = std::min(first + band_columns(*this), order.size());
  const std::size_t first_word = unit / n_bands(*this) * (rows_of_unit / 64);
  const std::size_t last_word = std::min(first_word + rows_of_unit / 64, values.n_words());
  BandSums sums(*this, first, last);
  RowsOn on(*this, sums.n_columns());
  data::AlignedVector<std::uint64_t> lines(strip_words * rows_at_once);
  for (std::size_t w = first_word; w < last_word; w += words_at_once) {
    const std::size_t n_words = std::min(words_at_once, last_word - w);
    on.list(values, w, n_words);
    for (std::size_t strip = first; strip < last; strip += strip_bits) {
      fill_strip(*this, strip, w, n_words, lines.data());
      for (std::size_t i = 0; i < std::min(strip + strip_bits, sums.n_columns()); ++i) {
        const auto rows = on.of(i);
        kernels::active().add_rows(lines.data(), rows.data(), rows.size(), sums.of(i, strip));
      }
    }
  }
  sums.add_to(both_on, order);
}

}  // namespace orrery::moments
