// AVX2: half a row at a time, added up by carry-save adders as in rows_avx512.cpp.
// Only <cstdint> and intrinsics are included, so that no wide instruction leaks into shared code.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "kernels/implementations.hpp"

#define ORRERY_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

namespace orrery::kernels::avx2 {
namespace {

ORRERY_AVX2 inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
ORRERY_AVX2 inline void store(void* to, __m256i x) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), x);
}

// One stage of a transposition: 32 exchanges of half a line, see data/bits.hpp.
template <unsigned width>
ORRERY_AVX2 inline void exchange_all(std::uint64_t* lines, std::uint64_t low_half) {
  const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(low_half));
  for (std::size_t base = 0; base < 64; base += 2 * width) {
    for (std::size_t row = base; row < base + width; ++row) {
      std::uint64_t* low = lines + 8 * row;
      std::uint64_t* high = low + 8 * std::size_t{width};
      const __m256i x = load(low);
      const __m256i y = load(high);
      const __m256i differ =
          _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64(x, width), y), mask);
      store(low, _mm256_xor_si256(x, _mm256_slli_epi64(differ, width)));
      store(high, _mm256_xor_si256(y, differ));
    }
  }
}

// `sum` becomes the low bits of sum + a + b; returns the high ones.
ORRERY_AVX2 inline __m256i add(__m256i& sum, __m256i a, __m256i b) {
  const __m256i differ = _mm256_xor_si256(sum, a);
  const __m256i carry = _mm256_or_si256(_mm256_and_si256(sum, a), _mm256_and_si256(differ, b));
  sum = _mm256_xor_si256(differ, b);
  return carry;
}

// counts[j] += weight where bit j of the plane is set.
ORRERY_AVX2 inline void add_plane(std::uint32_t* counts, __m256i plane, int weight) {
  alignas(32) std::uint8_t bytes[32];
  store(bytes, plane);
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i each = _mm256_set1_epi32(weight);
  for (int i = 0; i < 32; ++i) {
    const __m256i on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bytes[i]), bit), bit);
    std::uint32_t* to = counts + 8 * i;
    store(to, _mm256_add_epi32(load(to), _mm256_and_si256(on, each)));
  }
}

// The columns of half a row.
ORRERY_AVX2 void add_half_rows(const std::uint64_t* lines, const std::uint16_t* rows,
                               std::size_t n_rows, std::uint32_t* counts) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i ones = zero, twos = zero, fours = zero, eights = zero;
  const auto row = [&](std::size_t i) __attribute__((target("avx2"))) {
    return i < n_rows ? load(lines + 8 * std::size_t{rows[i]}) : zero;
  };
  for (std::size_t i = 0; i < n_rows; i += 16) {  // to at most 15 + 16 in five planes
    __m256i in_fours[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const __m256i a = add(ones, row(i + 4 * k), row(i + 4 * k + 1));
      const __m256i b = add(ones, row(i + 4 * k + 2), row(i + 4 * k + 3));
      in_fours[k] = add(twos, a, b);
    }
    const __m256i a = add(fours, in_fours[0], in_fours[1]);
    const __m256i b = add(fours, in_fours[2], in_fours[3]);
    const __m256i sixteens = add(eights, a, b);
    if (_mm256_testz_si256(sixteens, sixteens) == 0) add_plane(counts, sixteens, 16);
  }
  add_plane(counts, ones, 1);
  add_plane(counts, twos, 2);
  add_plane(counts, fours, 4);
  add_plane(counts, eights, 8);
}

}  // namespace

// Of sparse columns most words have two bits at most, so that no branch depends on how many.
ORRERY_AVX2 std::size_t list_rows(const std::uint64_t* words, std::size_t stride,
                                  std::size_t n_words, std::uint16_t* rows) {
  std::uint16_t* next = rows;
  for (std::size_t w = 0; w < n_words; ++w) {
    std::uint64_t left = words[stride * w];
    const auto n = static_cast<std::size_t>(_mm_popcnt_u64(left));
    next[0] = static_cast<std::uint16_t>(64 * w + _tzcnt_u64(left));
    left = _blsr_u64(left);
    next[1] = static_cast<std::uint16_t>(64 * w + _tzcnt_u64(left));
    for (std::size_t i = 2; i < n; ++i) {
      left = _blsr_u64(left);
      next[i] = static_cast<std::uint16_t>(64 * w + _tzcnt_u64(left));
    }
    next += n;
  }
  return static_cast<std::size_t>(next - rows);
}

ORRERY_AVX2 void transpose(std::uint64_t* lines, std::size_t n_blocks) {
  for (std::uint64_t* block = lines; block != lines + 512 * n_blocks; block += 512) {
    for (std::uint64_t* half : {block, block + 4}) {
      exchange_all<32>(half, 0x00000000FFFFFFFF);
      exchange_all<16>(half, 0x0000FFFF0000FFFF);
      exchange_all<8>(half, 0x00FF00FF00FF00FF);
      exchange_all<4>(half, 0x0F0F0F0F0F0F0F0F);
      exchange_all<2>(half, 0x3333333333333333);
      exchange_all<1>(half, 0x5555555555555555);
    }
  }
}

ORRERY_AVX2 void add_rows(const std::uint64_t* lines, const std::uint16_t* rows, std::size_t n_rows,
                          std::uint32_t* counts) {
  add_half_rows(lines, rows, n_rows, counts);
  add_half_rows(lines + 4, rows, n_rows, counts + 256);
}

}  // namespace orrery::kernels::avx2
#endif
