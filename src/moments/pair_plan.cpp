#include "moments/pair_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/kernels.hpp"
#include "moments/pair_counts.hpp"
#include "moments/pair_rows.hpp"

namespace orrery::moments {
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
