// AVX2 + BMI2: popcounts by nibble table look-up (Mula, Kurz, Lemire 2018), compaction by PEXT.
// Only <cstdint> and intrinsics are included, so that no wide instruction leaks into shared code.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "kernels/implementations.hpp"

#define ORRERY_AVX2 __attribute__((target("avx2,bmi2,popcnt")))

namespace orrery::kernels {
namespace {

// popcount of every byte.
ORRERY_AVX2 inline __m256i count_bytes(__m256i x) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble));
  const __m256i high =
      _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
  return _mm256_add_epi8(low, high);
}

ORRERY_AVX2 inline __m256i load(const std::uint64_t* words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

ORRERY_AVX2 inline void store_counts(__m256i sums, std::uint32_t* counts) {
  alignas(32) std::uint64_t wide[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(wide), sums);
  for (int i = 0; i < 4; ++i) counts[i] = static_cast<std::uint32_t>(wide[i]);
}

// Rows r and r + 1 against the eight columns, held as two halves of four. A byte gains at most 8 a
// word, so that byte sums are widened every 31 words, before they pass 255.
ORRERY_AVX2 void two_rows(const std::uint64_t* rows, const std::uint64_t* columns,
                          std::size_t n_words, std::uint32_t* first, std::uint32_t* second) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero;
  for (std::size_t begin = 0; begin < n_words; begin += 31) {
    const std::size_t end = begin + 31 < n_words ? begin + 31 : n_words;
    __m256i b00 = zero, b01 = zero, b10 = zero, b11 = zero;
    for (std::size_t w = begin; w < end; ++w) {
      const __m256i low = load(columns + 8 * w);
      const __m256i high = load(columns + 8 * w + 4);
      const __m256i r0 = _mm256_set1_epi64x(static_cast<long long>(rows[8 * w]));
      const __m256i r1 = _mm256_set1_epi64x(static_cast<long long>(rows[8 * w + 1]));
      b00 = _mm256_add_epi8(b00, count_bytes(_mm256_and_si256(r0, low)));
      b01 = _mm256_add_epi8(b01, count_bytes(_mm256_and_si256(r0, high)));
      b10 = _mm256_add_epi8(b10, count_bytes(_mm256_and_si256(r1, low)));
      b11 = _mm256_add_epi8(b11, count_bytes(_mm256_and_si256(r1, high)));
    }
    sum00 = _mm256_add_epi64(sum00, _mm256_sad_epu8(b00, zero));
    sum01 = _mm256_add_epi64(sum01, _mm256_sad_epu8(b01, zero));
    sum10 = _mm256_add_epi64(sum10, _mm256_sad_epu8(b10, zero));
    sum11 = _mm256_add_epi64(sum11, _mm256_sad_epu8(b11, zero));
  }
  store_counts(sum00, first);
  store_counts(sum01, first + 4);
  store_counts(sum10, second);
  store_counts(sum11, second + 4);
}

ORRERY_AVX2 void tile(const std::uint64_t* row_panel, const std::uint64_t* column_panel,
                      std::size_t n_words, std::uint32_t* counts, std::size_t stride) {
  for (std::size_t r = 0; r < 8; r += 2) {
    two_rows(row_panel + r, column_panel, n_words, counts + stride * r, counts + stride * (r + 1));
  }
}

ORRERY_AVX2 std::size_t compact(const std::uint64_t* panel, const std::uint64_t* mask,
                                std::size_t mask_stride, std::size_t n_words,
                                const std::uint64_t* flips, std::uint64_t* packed) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint64_t current = 0;
    unsigned fill = 0;  // bits of `current` in use, below 64
    words = 0;
    for (std::size_t w = 0; w < n_words; ++w) {
      const std::uint64_t m = mask[mask_stride * w];
      const std::uint64_t bits = _pext_u64(panel[8 * w + i] ^ flips[i], m);
      const auto n = static_cast<unsigned>(_mm_popcnt_u64(m));
      current |= bits << fill;
      if (fill + n >= 64) {
        packed[8 * words++ + i] = current;
        current = fill == 0 ? 0 : bits >> (64 - fill);
        fill -= 64;  // wraps; the sum below is the true fill
      }
      fill += n;
    }
    if (fill > 0) packed[8 * words++ + i] = current;
  }
  return words;
}

}  // namespace

const Kernel avx2_kernel{Isa::avx2,       "avx2",          tile,          compact,
                         avx2::list_rows, avx2::transpose, avx2::add_rows};

}  // namespace orrery::kernels
#endif
