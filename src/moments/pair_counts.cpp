// Time and memory: see RowPairs and TilePairs; beside these O(m^2). The first thing to
// break at 1,000 ranks is the reduction of m^2 words (133 MB at m = 4,075), not the counting.
#include "moments/pair_counts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernels/kernels.hpp"
#include "moments/tiles.hpp"

namespace orrery::moments {
namespace {

RowPairs by_rows(const data::BitPanels& values, std::span<const std::uint32_t> order,
                 std::size_t n_sparse) {
  return {values, order, n_sparse};
}

TilePairs by_tiles(const data::BitPanels& values, std::span<const std::uint32_t> order,
                   std::size_t n_sparse) {
  return {values, order.subspan(n_sparse)};
}

}  // namespace

PairCounter::PairCounter(const data::BitPanels& values)
    : values_(values), densities_(column_densities(values)), order_(values.n_columns()) {
  const std::vector<double> of_column = densities_;
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::stable_sort(order_, {}, [&](std::uint32_t a) { return of_column[a]; });
  std::ranges::sort(densities_);
  const std::vector<double> costs = split_costs(densities_, values.n_rows());
  n_sparse_ = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
  // Tiles of all columns are those of the panels as they are.
  if (n_sparse_ == 0) std::iota(order_.begin(), order_.end(), 0U);
}

std::size_t PairCounter::n_units() const noexcept {
  return by_rows(values_, order_, n_sparse_).n_units() +
         by_tiles(values_, order_, n_sparse_).n_units();
}

void PairCounter::count(std::size_t unit, std::vector<std::uint64_t>& both_on) const {
  const RowPairs rows = by_rows(values_, order_, n_sparse_);
  if (unit < rows.n_units()) {
    rows.count(unit, both_on);
  } else {
    by_tiles(values_, order_, n_sparse_).count(unit - rows.n_units(), both_on);
  }
}

double PairCounter::expected_seconds(std::uint64_t n_rows) const {
  return 1e-9 * std::ranges::min(split_costs(densities_, n_rows));
}

double PairCounter::expected_share_of_tiles() const {
  const std::vector<double> costs = split_costs(densities_, values_.n_rows());
  return std::ranges::min(costs) / costs[0];
}

PairCounts pair_counts_from_on(std::size_t n_observed, std::uint64_t n_samples,
                               std::vector<std::uint64_t> both_on) {
  const std::size_t m = n_observed;
  PairCounts counts{m, n_samples, std::move(both_on)};
  std::vector<std::uint64_t>& table = counts.off;
  std::vector<std::uint64_t> on(m);
  for (std::size_t a = 0; a < m; ++a) on[a] = table[a * m + a];
  // Square by square: whole rows of one side are columns of the other, all over memory.
  constexpr std::size_t side = 32;
  for (std::size_t first_a = 0; first_a < m; first_a += side) {
    for (std::size_t first_b = first_a; first_b < m; first_b += side) {
      for (std::size_t a = first_a; a < std::min(first_a + side, m); ++a) {
        for (std::size_t b = std::max(a + 1, first_b); b < std::min(first_b + side, m); ++b) {
          const std::uint64_t both = table[a * m + b] + table[b * m + a];
          const std::uint64_t off = n_samples + both - on[a] - on[b];
          table[a * m + b] = off;
          table[b * m + a] = off;
        }
      }
    }
  }
  for (std::size_t a = 0; a < m; ++a) table[a * m + a] = n_samples - on[a];
  return counts;
}

PairCounts count_pairs(const data::BitPanels& values) {
  const PairCounter counter(values);
  std::vector<std::uint64_t> both_on(values.n_columns() * values.n_columns(), 0);
#pragma omp parallel for schedule(dynamic) default(none) shared(counter, both_on)
  for (std::size_t unit = 0; unit < counter.n_units(); ++unit) counter.count(unit, both_on);
  return pair_counts_from_on(values.n_columns(), values.n_rows(), std::move(both_on));
}

namespace {

// Nanoseconds of one core with AVX-512, as tests/bench/bench_pairs prints them (2026-11-22). They
// choose between ways that count the same.
constexpr double tile_ns = 1e9 * pair_seconds;
constexpr double word_ns = 9;      // a word of any column: brought into its strip, transposed
constexpr double listed_ns = 2.6;  // a one of a sparse column: listed
constexpr double added_ns = 2.2;   // a row of a strip: added to its sums
constexpr double list_ns = 110;    // a list added to the sums of a strip, however short
constexpr double pair_ns = 11;     // a pair's sum: brought to the table of all

}  // namespace

std::vector<double> column_densities(const data::BitPanels& values) {
  constexpr std::size_t slice_words = 16;
  constexpr std::size_t n_slices = 64;
  const std::size_t step = std::max(slice_words, values.n_words() / n_slices);
  std::vector<double> densities(data::panel_lanes * values.n_panels(), 0);
  std::array<std::uint32_t, 64> counts{};
  std::size_t n_words = 0;
  for (std::size_t begin = 0; begin < values.n_words(); begin += step) {
    const std::size_t n = std::min(slice_words, values.n_words() - begin);
    n_words += n;
    for (std::size_t p = 0; p < values.n_panels(); ++p) {
      const std::uint64_t* panel = values.panel(p) + data::panel_lanes * begin;
      kernels::active().tile(panel, panel, n, counts.data(), data::panel_lanes);
      for (std::size_t i = 0; i < data::panel_lanes; ++i) {
        densities[data::panel_lanes * p + i] += counts[(data::panel_lanes + 1) * i];
      }
    }
  }
  densities.resize(values.n_columns());
  for (double& density : densities) density /= 64 * static_cast<double>(n_words);
  return densities;
}

std::vector<double> split_costs(std::span<const double> densities, std::uint64_t n_rows) {
  constexpr auto strip = static_cast<double>(kernels::strip_bits);
  const auto n = static_cast<double>(n_rows);
  const double listed_rows = std::min(n, static_cast<double>(rows_at_once));
  const double summed_rows = std::min(n, static_cast<double>(rows_of_unit));
  const auto m = static_cast<double>(densities.size());
  std::vector<double> costs;
  double by_rows = 0;  // a row, of the sparse columns so far
  for (std::size_t s = 0; s <= densities.size(); ++s) {
    const auto sparse = static_cast<double>(s);
    const double dense = m - sparse;
    const double prepared = s == 0 ? 0 : m * word_ns / 64;
    costs.push_back(n * (prepared + by_rows + dense * dense / 2 * tile_ns));
    if (s == densities.size()) break;
    const double strips = std::ceil(m / strip) - std::floor(sparse / strip);
    by_rows += densities[s] * (listed_ns + added_ns * strips) + list_ns * strips / listed_rows +
               pair_ns * dense / summed_rows;
  }
  return costs;
}

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
