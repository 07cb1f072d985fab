// Pair counts at the size of QMR-DT: 4,075 columns x 1,000,000 rows.
// Dense random bits, by tiles, against the ceiling of this machine, measured in the same run: AND +
// popcount + ADD on registers, without a load. Then as many samples of a network like QMR-DT, as
// chosen, against all columns by tiles, all row by row, and each pair of ones of each row added to
// a table. Last, what the model of the two ways (src/moments/pair_counts.cpp) is made of.
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/work_time.hpp"
#include "bench/timing.hpp"
#include "data/row_lists.hpp"
#include "kernels/kernels.hpp"
#include "moments/pair_counts.hpp"
#include "moments/tiles.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace {

using namespace orrery;

constexpr std::uint64_t ceiling_rounds = 40'000'000;

/// AND + VPOPCNTQ + VPADDQ on registers, eight independent chains.
__attribute__((target("avx512f,avx512vpopcntdq"), noinline)) std::uint64_t count_registers() {
  __m512i x[8];
  __m512i sum[8];
  __m512i y = _mm512_set1_epi64(0x0F0F0F0F0F0F0F0F);
  for (int i = 0; i < 8; ++i) {
    x[i] = _mm512_set1_epi64(0x0123456789ABCDEF + i);
    sum[i] = _mm512_setzero_si512();
  }
  for (std::uint64_t round = 0; round < ceiling_rounds; ++round) {
    asm volatile("" : "+v"(y));  // not a constant: nothing is moved out of the loop
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      sum[i] = _mm512_add_epi64(sum[i], _mm512_popcnt_epi64(_mm512_and_si512(x[i], y)));
    }
  }
  std::uint64_t words[8];
  std::uint64_t total = 0;
  for (int i = 0; i < 8; ++i) {
    _mm512_storeu_si512(words, sum[i]);
    total += words[0];
  }
  return total;
}

/// Of this thread: whoever else uses the processor takes nothing from the share of the ceiling.
double processor_seconds(const std::function<void()>& work) {
  const double before = thread_seconds();
  work();
  return thread_seconds() - before;
}

/// Bits a second.
double ceiling_avx512(std::uint64_t* sink) {
  const double seconds = processor_seconds([&] { *sink += count_registers(); });
  return static_cast<double>(ceiling_rounds) * 8 * 512 / seconds;
}

constexpr std::size_t m = 4'075;

/// Every other bit on.
data::BitPanels dense_samples(std::size_t n) {
  data::BitPanels values(m, n);
  RowRandom random(1, Stream::check, 0);
  for (std::uint64_t& word : values.words()) word = random.below(~std::uint64_t{0});
  // Keep the promises of the layout: no bits beyond the last row or column.
  const std::size_t tail_rows = n % 64;
  for (std::size_t p = 0; p < values.n_panels(); ++p) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      for (std::size_t w = 0; w < values.n_words(); ++w) {
        std::uint64_t& word = values.words()[(p * values.n_words() + w) * 8 + lane];
        if (8 * p + lane >= m) word = 0;
        if (tail_rows != 0 && w + 1 == values.n_words())
          word &= (std::uint64_t{1} << tail_rows) - 1;
      }
    }
  }
  return values;
}

void against_the_ceiling() {
  constexpr std::size_t n = 1'000'000;
  const data::BitPanels values = dense_samples(n);
  std::uint64_t sink = 0;
  std::vector<double> ceilings;
  std::vector<double> rates;
  for (int round = 0; round < 3; ++round) {
    ceilings.push_back(ceiling_avx512(&sink));
    const double seconds = processor_seconds([&] { sink += moments::count_pairs(values).off[1]; });
    // What the tiles must do: every pair of panels once.
    const auto panels = static_cast<double>(values.n_panels());
    rates.push_back(panels * (panels + 1) / 2 * 64 * static_cast<double>(n) / seconds);
    fmt::print("  pair counts {:.2f} s, {:.3g} bits/s; ceiling {:.3g} bits/s; {:.0f} %\n", seconds,
               rates.back(), ceilings.back(), 100 * rates.back() / ceilings.back());
  }
  std::sort(ceilings.begin(), ceilings.end());
  std::sort(rates.begin(), rates.end());
  fmt::print("pair counts {} x {}, one thread: {:.0f} % of the ceiling (median of 3) [{}]\n", m, n,
             100 * rates[1] / ceilings[1], sink % 10);
}

/// 32 x 32 panels of 2,048 words by 8x16 tiles, against 8x8 tiles of 128 words as before.
void against_square_tiles() {
  constexpr std::size_t n_panels = 32;
  constexpr std::size_t n_words = 2'048;
  constexpr std::size_t slice = 128;
  const data::BitPanels values = dense_samples(64 * n_words);
  std::vector<const std::uint64_t*> rows;
  std::vector<const std::uint64_t*> columns;
  for (std::size_t p = 0; p < n_panels; ++p) {
    rows.push_back(values.panel(p));
    columns.push_back(values.panel(n_panels + p));
  }
  constexpr std::size_t stride = 8 * n_panels;
  std::vector<std::uint32_t> sums(stride * stride);
  std::vector<std::uint32_t> expected(stride * stride);
  const auto square = [&] {
    std::array<std::uint32_t, 64> counts{};
    for (std::size_t w = 0; w < 8 * n_words; w += 8 * slice) {
      for (std::size_t group = 0; group < n_panels; group += 4) {
        for (std::size_t p = 0; p < n_panels; ++p) {
          for (std::size_t q = group; q < group + 4; ++q) {
            kernels::active().tile(rows[p] + w, columns[q] + w, slice, counts.data(), 8);
            std::uint32_t* corner = expected.data() + 8 * p * stride + 8 * q;
            for (std::size_t i = 0; i < 64; ++i) corner[i / 8 * stride + i % 8] += counts[i];
          }
        }
      }
    }
  };
  const auto wide = [&] {
    moments::count_tiles_of(rows, columns, false, n_words, stride, sums.data());
  };
  std::vector<double> ratios;
  for (int round = 0; round < 21; ++round) {
    const double before = processor_seconds(square);
    ratios.push_back(before / processor_seconds(wide));
  }
  std::ranges::sort(ratios);
  fmt::print("8x16 tiles: {:.2f} times as fast as 8x8 tiles on the same panels{}\n", ratios[10],
             sums == expected ? "" : "; DIFFERENT COUNTS");
}

/// The plain way for sparse rows: a list of what is on, every pair of it added to a table.
std::uint64_t count_lists(const data::BitPanels& values) {
  const data::RowLists lists(values, 1);
  std::vector<std::uint32_t> both(m * m, 0);
  for (std::size_t r = 0; r < values.n_rows(); ++r) {
    const auto on = lists.row(r);
    for (std::size_t i = 0; i < on.size(); ++i) {
      std::uint32_t* row = both.data() + m * on[i];
      for (std::size_t j = i; j < on.size(); ++j) ++row[on[j]];
    }
  }
  return both[1];
}

void against_either_way_alone() {
  constexpr std::size_t n = 1'000'000;
  const model::NoisyOrNetwork network = *model::generate_network("qmr", 1);
  data::BitPanels values(m, n);
  values.insert(0, model::sample_rows(network, 1, 0, n));
  const std::vector<double> density = moments::column_densities(values);
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0U);
  const auto tiles = [&] {
    std::vector<std::uint64_t> both(m * m, 0);
    const moments::TilePairs pairs{values, order};
    for (std::size_t unit = 0; unit < pairs.n_units(); ++unit) pairs.count(unit, both);
    (void)moments::pair_counts_from_on(m, n, std::move(both));
  };
  std::vector<std::uint32_t> ranked = order;
  std::ranges::stable_sort(ranked, {}, [&](std::uint32_t a) { return density[a]; });
  const auto rows = [&] {
    std::vector<std::uint64_t> both(m * m, 0);
    const moments::RowPairs pairs{values, ranked, m};
    for (std::size_t unit = 0; unit < pairs.n_units(); ++unit) pairs.count(unit, both);
    (void)moments::pair_counts_from_on(m, n, std::move(both));
  };
  std::uint64_t sink = 0;
  std::vector<bench::Contestant> contestants{
      {"as chosen by density", [&] { sink += moments::count_pairs(values).off[1]; }},
      {"all columns by tiles", tiles},
      {"all columns row by row", rows},
      {"lists of what is on, pairs added to a table", [&] { sink += count_lists(values); }}};
  bench::compete(contestants, 3);
  bench::print_times(contestants);
  const double chosen = contestants[0].median();
  fmt::print(
      "pair counts of a network like QMR-DT, {} x {}, one thread: {:.1f} times as fast as tiles, "
      "{:.1f} times as lists, {:.2f} of the time row by row [{}]\n",
      m, n, contestants[1].median() / chosen, contestants[3].median() / chosen,
      chosen / contestants[2].median(), sink % 10);
}

/// Prints nanoseconds a piece.
void print_cost(const char* what, double pieces, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int round = 0; round < 5; ++round) seconds.push_back(bench::time_once(work));
  std::ranges::sort(seconds);
  fmt::print("  {:60} {:.3g} ns\n", what, 1e9 * seconds[2] / pieces);
}

/// All pairs by rows, or by tiles.
template <class Pairs>
void count(const Pairs& pairs, std::vector<std::uint64_t>& both) {
  for (std::size_t unit = 0; unit < pairs.n_units(); ++unit) pairs.count(unit, both);
}

/// What src/moments/pair_counts.cpp is made of.
void print_costs() {
  constexpr std::size_t n = moments::rows_at_once;
  const kernels::Kernel& kernel = kernels::active();
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint64_t> both(m * m, 0);
  const data::BitPanels dense = dense_samples(n);
  print_cost("tile_ns: a pair of columns per row", .5 * m * m * n, [&] {
    count(moments::TilePairs{dense, order}, both);
  });
  const data::BitPanels none(m, moments::rows_of_unit);
  print_cost("word_ns: a word of any column", static_cast<double>(m * none.n_words()), [&] {
    count(moments::RowPairs{none, order, m}, both);
  });
  const data::BitPanels few = dense_samples(64);
  print_cost("pair_ns: a pair's sum", .5 * m * m, [&] {
    count(moments::RowPairs{few, order, m}, both);
  });

  // A list of 1 % of the rows, for sums that are all over memory as in a run.
  std::vector<std::uint64_t> column(n / 64, 0);
  RowRandom random(1, Stream::check, 1);
  std::uint64_t n_on = 0;
  for (std::size_t r = 0; r < n; ++r) {
    if (random.below(100) > 0) continue;
    column[r / 64] |= std::uint64_t{1} << (r % 64);
    ++n_on;
  }
  std::vector<std::uint16_t> rows(n_on + 2);
  const auto all_rows = static_cast<double>(m * n_on);
  print_cost("listed_ns: a one of a sparse column", all_rows, [&] {
    for (std::size_t i = 0; i < m; ++i) {
      (void)kernel.list_rows(column.data(), 1, column.size(), rows.data());
    }
  });
  const data::AlignedVector<std::uint64_t> lines(8 * n, 0x0123456789ABCDEF);
  std::vector<std::uint32_t> sums(kernels::strip_bits * m);
  const auto add = [&](std::size_t n_rows) {
    for (std::size_t i = 0; i < m; ++i) {
      kernel.add_rows(lines.data(), rows.data(), n_rows, sums.data() + kernels::strip_bits * i);
    }
  };
  print_cost("added_ns: a row of a strip", all_rows, [&] { add(n_on); });
  print_cost("list_ns: a list, however short", m, [&] { add(1); });
}

}  // namespace

int main() {
  omp_set_num_threads(1);
  if (kernels::find(kernels::Isa::avx512) == nullptr) {
    fmt::print("no AVX-512 VPOPCNTDQ here: no ceiling to compare with\n");
    return EXIT_SUCCESS;
  }
  kernels::force("avx512");
  against_either_way_alone();
  print_costs();
  against_square_tiles();
  against_the_ceiling();
  return EXIT_SUCCESS;
}
