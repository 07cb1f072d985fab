#include "moments/counted_moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/kernels.hpp"
#include "moments/moment_source.hpp"

namespace orrery::moments {
namespace {

/// Outer projections that a walker keeps: those of a block of pairs, if they fit in 32 MiB.
std::size_t outers_kept(const data::BitPanels& values) {
  constexpr std::size_t budget_bytes = std::size_t{32} << 20U;
  return std::clamp<std::size_t>(
      budget_bytes / projection_bytes(values.n_columns(), values.n_rows()), 1, 8);
}

}  // namespace

CountedMoments::CountedMoments(const data::BitPanels& values, PairCounts pairs,
                               StoredTriples stored_triples)
    : TiledMoments(std::move(pairs), std::move(stored_triples)), values_(values) {}

std::unique_ptr<TileCounter> CountedMoments::tiles() const {
  return count_tiles(values_, flips(), outers_kept(values_));
}

std::size_t CountedMoments::tiles_bytes() const {
  const std::size_t m = n_observed();
  // Rows in which the rarer value of a column holds, at most; and those of two columns.
  std::uint64_t outer = 0;
  std::uint64_t inner = 0;
  for (std::size_t a = 0; a < m; ++a) {
    const auto rows = [&](std::size_t x, std::uint64_t all, std::uint64_t off) {
      return flips()[x] != 0 ? off : all - off;
    };
    const std::uint64_t of_a = rows(a, n_samples(), counts().single(a));
    outer = std::max(outer, of_a);
    for (std::size_t b = a + 1; b < m; ++b) {
      const std::uint64_t off_b = counts().single(b);
      const std::uint64_t both_off = counts().at(a, b);
      inner = std::max(inner, rows(b, of_a, flips()[a] != 0 ? both_off : off_b - both_off));
    }
  }
  const auto bytes = [&](std::uint64_t rows) {
    return values_.n_panels() * data::panel_lanes * ((rows + 63) / 64 + 1) * sizeof(std::uint64_t);
  };
  return outers_kept(values_) * bytes(outer) + bytes(inner);
}

std::uint64_t CountedMoments::count_off(std::span<const std::size_t> set) const {
  return moments::count_off(values_, set);
}

namespace {

/// Adds to counts[k][x - first] the bits that x shares with word_of(k, w), over all words w: up to
/// eight k in one pass of tiles.
template <class WordOf>
void count_beside(const data::BitPanels& values, std::size_t n, std::size_t first, std::size_t last,
                  const WordOf& word_of, std::vector<std::vector<std::uint64_t>>& counts) {
  constexpr std::size_t slice_words = 256;
  // Lane k of word w: a panel like those of the samples.
  data::AlignedVector<std::uint64_t> lanes(data::panel_lanes * slice_words, 0);
  std::array<std::uint32_t, 64> tile{};
  for (std::size_t begin = 0; begin < values.n_words(); begin += slice_words) {
    const std::size_t n_words = std::min(slice_words, values.n_words() - begin);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t w = 0; w < n_words; ++w) {
        lanes[data::panel_lanes * w + k] = word_of(k, begin + w);
      }
    }
    for (std::size_t p = first / 8; p < (last + 7) / 8; ++p) {
      kernels::active().tile(lanes.data(), values.panel(p) + data::panel_lanes * begin, n_words,
                             tile.data(), data::panel_lanes);
      for (std::size_t x = std::max(first, 8 * p); x < std::min(last, 8 * p + 8); ++x) {
        for (std::size_t k = 0; k < n; ++k) counts[k][x - first] += tile[8 * k + x % 8];
      }
    }
  }
}

}  // namespace

void count_on_beside_pairs(const data::BitPanels& values,
                           std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
                           std::size_t last, std::vector<std::vector<std::uint64_t>>& counts) {
  const std::uint64_t tail = values.n_rows() % 64 == 0
                                 ? ~std::uint64_t{0}
                                 : (std::uint64_t{1} << (values.n_rows() % 64)) - 1;
  const auto both_off = [&](std::size_t k, std::size_t w) {
    const auto [a, b] = pairs[k];
    const std::uint64_t off = ~(values.word(a, w) | values.word(b, w));
    return w + 1 == values.n_words() ? off & tail : off;
  };
  count_beside(values, pairs.size(), first, last, both_off, counts);
}

void count_on_with_pairs(const data::BitPanels& values, std::uint64_t first_row,
                         std::span<const std::array<std::uint32_t, 2>> pairs,
                         std::span<const unsigned> thinnings, std::size_t first, std::size_t last,
                         std::vector<std::vector<std::uint64_t>>& counts) {
  const auto looked_at = [&](std::size_t k, std::size_t w) {
    const auto [a, b] = pairs[k];
    std::uint64_t on = values.word(a, w) & values.word(b, w);
    if (thinnings[k] == 0) return on;
    for (std::uint64_t left = on; left != 0; left &= left - 1) {
      const std::uint64_t row = first_row + 64 * w + static_cast<unsigned>(std::countr_zero(left));
      if (!is_looked_at(row, thinnings[k])) on ^= left & (~left + 1);
    }
    return on;
  };
  count_beside(values, pairs.size(), first, last, looked_at, counts);
}

std::vector<std::uint64_t> list_on_with_pair(const data::BitPanels& values,
                                             const data::RowLists& lists,
                                             const std::array<std::uint32_t, 2>& pair,
                                             unsigned thinning) {
  const auto [a, b] = pair;
  const bool a_rarer = lists.rows_of(a).size() < lists.rows_of(b).size();
  const std::size_t other = a_rarer ? b : a;
  std::vector<std::uint32_t> both;
  for (const std::uint32_t r : lists.rows_of(a_rarer ? a : b)) {
    if (is_looked_at(r, thinning) && values.at(r, other)) both.push_back(r);
  }
  std::vector<std::uint64_t> counts(values.n_columns(), 0);
  constexpr std::size_t ahead = 8;  // rows are all over memory
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (i + ahead < both.size()) __builtin_prefetch(lists.row(both[i + ahead]).data());
    for (const std::uint16_t x : lists.row(both[i])) ++counts[x];
  }
  return counts;
}

void CountedMoments::prepare_many_pairs(int threads) const {
  constexpr double sparse = .05;
  if (lists_ || values_.n_columns() > data::RowLists::most_columns) return;
  double on = 0;
  for (std::size_t a = 0; a < n_observed(); ++a) on += 1 - single(a);
  if (on < sparse * static_cast<double>(n_observed())) {
    lists_ = std::make_unique<const data::RowLists>(values_, threads);
  }
}

std::vector<std::vector<double>> CountedMoments::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  std::vector<std::vector<std::uint64_t>> on(pairs.size(),
                                             std::vector<std::uint64_t>(last - first, 0));
  count_on_beside_pairs(values_, pairs, first, last, on);
  return off_beside_pairs(pairs, on);
}

OnWithPair CountedMoments::on_with_pair(const std::array<std::uint32_t, 2>& pair) const {
  const unsigned thinning = thinning_of(both_on(pair[0], pair[1]));
  if (lists_) return shares_with_pair(pair, list_on_with_pair(values_, *lists_, pair, thinning));
  std::vector<std::vector<std::uint64_t>> counts(1, std::vector<std::uint64_t>(n_observed(), 0));
  count_on_with_pairs(values_, 0, {&pair, 1}, {&thinning, 1}, 0, n_observed(), counts);
  return shares_with_pair(pair, counts[0]);
}

std::uint64_t count_off(const data::BitPanels& values, std::span<const std::size_t> set) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < values.n_words(); ++w) {
    std::uint64_t on = 0;
    for (const std::size_t x : set) on |= values.word(x, w);
    count += static_cast<std::uint64_t>(__builtin_popcountll(~on));
  }
  return count - (64 * values.n_words() - values.n_rows());  // padding rows read as off
}

}  // namespace orrery::moments
