// AVX-512 with VPOPCNTDQ: one register holds a word of all eight lanes of a panel.
// Only <cstdint> and intrinsics are included, so that no wide instruction leaks into shared code.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "kernels/implementations.hpp"

#define ORRERY_AVX512 __attribute__((target("avx512f,avx512vpopcntdq,bmi2,popcnt")))

namespace orrery::kernels {
namespace {

ORRERY_AVX512 inline __m512i load(const std::uint64_t* words) {
  return _mm512_loadu_si512(static_cast<const void*>(words));
}

ORRERY_AVX512 inline __m512i add_common_bits(__m512i sum, std::uint64_t row, __m512i columns) {
  const __m512i both = _mm512_and_si512(_mm512_set1_epi64(static_cast<long long>(row)), columns);
  return _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
}

ORRERY_AVX512 inline void add_counts(__m512i sums, std::uint32_t* counts) {
  auto* to = reinterpret_cast<__m256i*>(counts);
  _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), _mm512_cvtepi64_epi32(sums)));
}

ORRERY_AVX512 inline void store_counts(__m512i sums, std::uint32_t* counts) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts), _mm512_cvtepi64_epi32(sums));
}

// Eight accumulators, one per row lane, each over the eight columns: 8 x (AND with broadcast,
// VPOPCNTQ, VPADDQ) a word, 24 operations on two ports: 64 counts in 12 cycles.
ORRERY_AVX512 void tile(const std::uint64_t* row_panel, const std::uint64_t* column_panel,
                        std::size_t n_words, std::uint32_t* counts, std::size_t stride) {
  __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;
  __m512i s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t w = 0; w < n_words; ++w) {
    const __m512i columns = load(column_panel + 8 * w);
    const std::uint64_t* rows = row_panel + 8 * w;
    s0 = add_common_bits(s0, rows[0], columns);
    s1 = add_common_bits(s1, rows[1], columns);
    s2 = add_common_bits(s2, rows[2], columns);
    s3 = add_common_bits(s3, rows[3], columns);
    s4 = add_common_bits(s4, rows[4], columns);
    s5 = add_common_bits(s5, rows[5], columns);
    s6 = add_common_bits(s6, rows[6], columns);
    s7 = add_common_bits(s7, rows[7], columns);
  }
  store_counts(s0, counts);
  store_counts(s1, counts + stride);
  store_counts(s2, counts + 2 * stride);
  store_counts(s3, counts + 3 * stride);
  store_counts(s4, counts + 4 * stride);
  store_counts(s5, counts + 5 * stride);
  store_counts(s6, counts + 6 * stride);
  store_counts(s7, counts + 7 * stride);
}

// PEXT is scalar (one a cycle); shifting and merging is done for the eight lanes at once. Groups of
// words keep the scalar stores apart from the vector loads that read them, which would stall.
ORRERY_AVX512 std::size_t compact(const std::uint64_t* panel, const std::uint64_t* mask,
                                  std::size_t mask_stride, std::size_t n_words,
                                  const std::uint64_t* flips, std::uint64_t* packed) {
  constexpr std::size_t group = 16;
  alignas(64) std::uint64_t extracted[8 * group];
  const __m512i flip = load(flips);
  __m512i current = _mm512_setzero_si512();
  unsigned fill = 0;  // bits of `current` in use, below 64
  std::size_t words = 0;
  for (std::size_t begin = 0; begin < n_words; begin += group) {
    const std::size_t end = begin + group < n_words ? begin + group : n_words;
    for (std::size_t w = begin; w < end; ++w) {
      const std::uint64_t m = mask[mask_stride * w];
      std::uint64_t* out = extracted + 8 * (w - begin);
      for (std::size_t i = 0; i < 8; ++i) out[i] = _pext_u64(panel[8 * w + i], m);
    }
    for (std::size_t w = begin; w < end; ++w) {
      const auto n = static_cast<unsigned>(_mm_popcnt_u64(mask[mask_stride * w]));
      // The flip of n extracted bits: the n low ones. A shift by 64 gives zero, as wanted.
      const __m512i low = _mm512_srl_epi64(flip, _mm_cvtsi32_si128(static_cast<int>(64 - n)));
      const __m512i bits = _mm512_xor_si512(load(extracted + 8 * (w - begin)), low);
      current = _mm512_or_si512(current,
                                _mm512_sll_epi64(bits, _mm_cvtsi32_si128(static_cast<int>(fill))));
      _mm512_storeu_si512(static_cast<void*>(packed + 8 * words), current);
      const __m512i rest = _mm512_srl_epi64(bits, _mm_cvtsi32_si128(static_cast<int>(64 - fill)));
      const bool full = fill + n >= 64;
      current = _mm512_mask_mov_epi64(current, static_cast<__mmask8>(full ? 0xFF : 0), rest);
      words += full ? 1 : 0;
      fill = (fill + n) % 64;
    }
  }
  if (fill > 0) {
    _mm512_storeu_si512(static_cast<void*>(packed + 8 * words), current);
    ++words;
  }
  return words;
}

}  // namespace

// Sixteen accumulators: each word of a row is brought into a register once for both column panels.
ORRERY_AVX512 void avx512::wide_tile(const std::uint64_t* row_panel,
                                     const std::uint64_t* first_columns,
                                     const std::uint64_t* second_columns, std::size_t n_words,
                                     const std::uint64_t* next_rows, std::uint32_t* sums,
                                     std::size_t stride) {
  __m512i first[8];
  __m512i second[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) first[i] = second[i] = _mm512_setzero_si512();
  for (std::size_t w = 0; w < n_words; ++w) {
    const __m512i columns = load(first_columns + 8 * w);
    const __m512i others = load(second_columns + 8 * w);
    const std::uint64_t* rows = row_panel + 8 * w;
    _mm_prefetch(reinterpret_cast<const char*>(next_rows + 8 * w), _MM_HINT_T0);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const __m512i row = _mm512_set1_epi64(static_cast<long long>(rows[i]));
      first[i] = _mm512_add_epi64(first[i], _mm512_popcnt_epi64(_mm512_and_si512(row, columns)));
      second[i] = _mm512_add_epi64(second[i], _mm512_popcnt_epi64(_mm512_and_si512(row, others)));
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    add_counts(first[i], sums + static_cast<std::size_t>(i) * stride);
    add_counts(second[i], sums + static_cast<std::size_t>(i) * stride + 8);
  }
}

const Kernel avx512_kernel{Isa::avx512,       "avx512",        tile, compact, avx2::list_rows,
                           avx512::transpose, avx512::add_rows};

}  // namespace orrery::kernels
#endif
