// AVX-512: a register is a row of 512 bits. Rows are added up bit by bit of the sums (carry-save
// adders, positional popcount: Klarqvist, Mula, Lemire 2021): 16 rows cost 15 adders of two
// instructions each, and then one addition to 512 counters of 16 bits, which stay in registers.
// Only <cstdint> and intrinsics are included, so that no wide instruction leaks into shared code.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "kernels/implementations.hpp"

#define ORRERY_AVX512 __attribute__((target("avx512f,avx512bw")))

namespace orrery::kernels::avx512 {
namespace {

ORRERY_AVX512 inline __m512i load(const void* from) { return _mm512_loadu_si512(from); }

// One stage of a transposition: swaps the upper halves of 2 `width` bits of `low` with the lower
// halves of `high`.
template <unsigned width>
ORRERY_AVX512 inline void exchange(__m512i& low, __m512i& high, __m512i low_half) {
  const __m512i raised = _mm512_slli_epi64(high, width);
  high = _mm512_ternarylogic_epi64(low_half, _mm512_srli_epi64(low, width), high, 0xCA);
  low = _mm512_ternarylogic_epi64(low_half, low, raised, 0xCA);
}

// Three stages: among eight lines, `step` apart.
template <unsigned width>
ORRERY_AVX512 inline void exchange_eight(std::uint64_t* lines, std::size_t step,
                                         const __m512i (&low_halves)[3]) {
  __m512i x[8];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) x[i] = load(lines + 8 * step * i);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) exchange<width>(x[i], x[i + 4], low_halves[0]);
#pragma GCC unroll 4
  for (const std::size_t i : {0U, 1U, 4U, 5U}) {
    exchange<width / 2>(x[i], x[i + 2], low_halves[1]);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 8; i += 2) exchange<width / 4>(x[i], x[i + 1], low_halves[2]);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) {
    _mm512_storeu_si512(static_cast<void*>(lines + 8 * step * i), x[i]);
  }
}

// `sum` becomes the low bits of sum + a + b; returns the high ones.
ORRERY_AVX512 inline __m512i add(__m512i& sum, __m512i a, __m512i b) {
  const __m512i carry = _mm512_ternarylogic_epi64(sum, a, b, 0xE8);
  sum = _mm512_ternarylogic_epi64(sum, a, b, 0x96);
  return carry;
}

struct Counters {
  __m512i of[16];  // 32 columns each
};

ORRERY_AVX512 inline void add_plane(Counters& counters, __m512i plane, short weight) {
  alignas(64) std::uint32_t bits[16];
  _mm512_store_si512(static_cast<void*>(bits), plane);
  const __m512i each = _mm512_set1_epi16(weight);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    counters.of[i] = _mm512_mask_add_epi16(counters.of[i], bits[i], counters.of[i], each);
  }
}

}  // namespace

ORRERY_AVX512 void transpose(std::uint64_t* lines, std::size_t n_blocks) {
  const __m512i wide[3] = {_mm512_set1_epi64(0x00000000FFFFFFFF),
                           _mm512_set1_epi64(0x0000FFFF0000FFFF),
                           _mm512_set1_epi64(0x00FF00FF00FF00FF)};
  const __m512i narrow[3] = {_mm512_set1_epi64(0x0F0F0F0F0F0F0F0F),
                             _mm512_set1_epi64(0x3333333333333333),
                             _mm512_set1_epi64(0x5555555555555555)};
  for (std::uint64_t* block = lines; block != lines + 512 * n_blocks; block += 512) {
    for (std::size_t i = 0; i < 8; ++i) exchange_eight<32>(block + 8 * i, 8, wide);
    for (std::size_t i = 0; i < 8; ++i) exchange_eight<4>(block + 64 * i, 1, narrow);
  }
}

ORRERY_AVX512 void add_rows(const std::uint64_t* lines, const std::uint16_t* rows,
                            std::size_t n_rows, std::uint32_t* counts) {
  const __m512i zero = _mm512_setzero_si512();
  Counters counters;
  for (__m512i& of : counters.of) of = zero;
  __m512i ones = zero, twos = zero, fours = zero, eights = zero;
  const auto row = [&](std::size_t i) __attribute__((target("avx512f,avx512bw"))) {
    return load(lines + 8 * std::size_t{rows[i]});
  };
  std::size_t i = 0;
  for (; i + 16 <= n_rows; i += 16) {
    __m512i fours_of[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      const __m512i first = add(ones, row(i + 4 * k), row(i + 4 * k + 1));
      const __m512i second = add(ones, row(i + 4 * k + 2), row(i + 4 * k + 3));
      fours_of[k] = add(twos, first, second);
    }
    const __m512i first = add(fours, fours_of[0], fours_of[1]);
    const __m512i second = add(fours, fours_of[2], fours_of[3]);
    add_plane(counters, add(eights, first, second), 16);
  }
  // Below 16 more, to at most 15 in the planes.
  __m512i sixteens = zero;
  for (; i < n_rows; i += 2) {
    const __m512i in_twos = add(ones, row(i), i + 1 < n_rows ? row(i + 1) : zero);
    const __m512i in_eights = add(fours, add(twos, in_twos, zero), zero);
    sixteens = _mm512_or_si512(sixteens, _mm512_and_si512(eights, in_eights));
    eights = _mm512_xor_si512(eights, in_eights);
  }
  if (n_rows > 16) add_plane(counters, sixteens, 16);
  add_plane(counters, ones, 1);
  add_plane(counters, twos, 2);
  add_plane(counters, fours, 4);
  add_plane(counters, eights, 8);
  for (int k = 0; k < 16; ++k) {
    std::uint32_t* to = counts + 32 * k;
    const __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(counters.of[k]));
    const __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(counters.of[k], 1));
    _mm512_storeu_si512(static_cast<void*>(to), _mm512_add_epi32(load(to), low));
    _mm512_storeu_si512(static_cast<void*>(to + 16), _mm512_add_epi32(load(to + 16), high));
  }
}

}  // namespace orrery::kernels::avx512
#endif
