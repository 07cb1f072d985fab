// Time and memory: see pair_rows.hpp and pair_tiles.hpp; beside these O(m^2). The first thing to
// break at 1,000 ranks is the reduction of m^2 words (133 MB at m = 4,075), not the counting.
#include "moments/pair_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "moments/pair_rows.hpp"
#include "moments/pair_tiles.hpp"

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
                               const std::vector<std::uint64_t>& both_on) {
  const std::size_t m = n_observed;
  PairCounts counts{m, n_samples, std::vector<std::uint64_t>(m * m)};
  // Square by square: whole rows of one side are columns of the other, all over memory.
  constexpr std::size_t side = 32;
  for (std::size_t first_a = 0; first_a < m; first_a += side) {
    for (std::size_t first_b = first_a; first_b < m; first_b += side) {
      for (std::size_t a = first_a; a < std::min(first_a + side, m); ++a) {
        for (std::size_t b = std::max(a + 1, first_b); b < std::min(first_b + side, m); ++b) {
          const std::uint64_t on = both_on[a * m + b] + both_on[b * m + a];
          const std::uint64_t off = n_samples + on - both_on[a * m + a] - both_on[b * m + b];
          counts.off[a * m + b] = off;
          counts.off[b * m + a] = off;
        }
      }
    }
  }
  for (std::size_t a = 0; a < m; ++a) counts.off[a * m + a] = n_samples - both_on[a * m + a];
  return counts;
}

PairCounts count_pairs(const data::BitPanels& values) {
  const PairCounter counter(values);
  std::vector<std::uint64_t> both_on(values.n_columns() * values.n_columns(), 0);
#pragma omp parallel for schedule(dynamic) default(none) shared(counter, both_on)
  for (std::size_t unit = 0; unit < counter.n_units(); ++unit) counter.count(unit, both_on);
  return pair_counts_from_on(values.n_columns(), values.n_rows(), both_on);
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

}  // namespace orrery::moments
