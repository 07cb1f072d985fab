// Pair counts of 4,075 columns x 1,000,000 rows (the size of QMR-DT) against the ceiling of this
// machine, measured in the same run: AND + popcount + ADD on registers, without a load.
#include <immintrin.h>
#include <omp.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bench/timing.hpp"
#include "orrery/base/random.hpp"
#include "orrery/kernels/kernels.hpp"
#include "orrery/moments/pair_counts.hpp"

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

/// Bits a second.
double ceiling_avx512(std::uint64_t* sink) {
  const double seconds = bench::time_once([&] { *sink += count_registers(); });
  return static_cast<double>(ceiling_rounds) * 8 * 512 / seconds;
}

}  // namespace

int main() {
  constexpr std::size_t m = 4'075;
  constexpr std::size_t n = 1'000'000;
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
  omp_set_num_threads(1);
  if (kernels::find(kernels::Isa::avx512) == nullptr) {
    fmt::print("no AVX-512 VPOPCNTDQ here: no ceiling to compare with\n");
    return EXIT_SUCCESS;
  }
  kernels::force("avx512");
  std::uint64_t sink = 0;
  std::vector<double> ceilings;
  std::vector<double> rates;
  for (int round = 0; round < 3; ++round) {
    ceilings.push_back(ceiling_avx512(&sink));
    const double seconds = bench::time_once([&] { sink += moments::count_pairs(values).off[1]; });
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
  return EXIT_SUCCESS;
}
