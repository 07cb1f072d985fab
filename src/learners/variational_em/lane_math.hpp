// exp and log, a lane a number. Only additions, multiplications, divisions and shifts of bits, in
// one order: the same bits from every instruction set. Included once by a file that is compiled for
// one instruction set and sets ORRERY_DOUBLE_LANES; everything has internal linkage, so that no
// wide instruction leaks elsewhere.
#pragma once

#include <cstdint>
#include <cstring>

namespace orrery::variational_em {
namespace {

typedef double Vec __attribute__((vector_size(ORRERY_DOUBLE_LANES * sizeof(double))));
typedef std::int64_t Bits __attribute__((vector_size(ORRERY_DOUBLE_LANES * sizeof(double))));
inline constexpr std::size_t width = ORRERY_DOUBLE_LANES;

inline Vec load(const double* values) {
  Vec v;
  std::memcpy(&v, values, sizeof v);
  return v;
}
inline void store(double* values, Vec v) { std::memcpy(values, &v, sizeof v); }

inline Vec smaller(Vec x, double limit) { return x < limit ? x : Vec{} + limit; }
inline Vec larger(Vec x, double limit) { return x > limit ? x : Vec{} + limit; }

inline bool all(Bits mask) {
  std::int64_t every = -1;
  for (std::size_t i = 0; i < width; ++i) every &= mask[i];
  return every != 0;
}

inline constexpr double most_exponent = 700;

/// x in [-700, 700]; relative error below 1e-14.
inline Vec exp(Vec x) {
  // x = k ln 2 + r, |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds and leaves k in the lowest bits.
  constexpr double round = 0x1.8p52;
  const Vec rounded = x * 0x1.71547652b82fep0 + round;
  const Vec k = rounded - round;
  const Vec r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
  // Taylor, error r^12 / 12!.
  Vec p = r * (1. / 39916800) + 1. / 3628800;
  p = p * r + 1. / 362880;
  p = p * r + 1. / 40320;
  p = p * r + 1. / 5040;
  p = p * r + 1. / 720;
  p = p * r + 1. / 120;
  p = p * r + 1. / 24;
  p = p * r + 1. / 6;
  p = p * r + 0.5;
  p = p * r + 1.;
  p = p * r + 1.;
  Bits bits;
  Bits shift;
  std::memcpy(&bits, &p, sizeof bits);
  std::memcpy(&shift, &rounded, sizeof shift);
  bits += shift << 52;
  std::memcpy(&p, &bits, sizeof p);
  return p;
}

/// x > 0 and normal; absolute error below 1e-15 + 1e-16 |log x|.
inline Vec log(Vec x) {
  // x = 2^k m, m in [sqrt(1/2), sqrt(2)).
  constexpr std::int64_t one = 0x3ff0000000000000;
  constexpr std::int64_t root = 0x3fe6a09e667f3bcd;
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits += one - root;
  // An integer below 2^52 behind the exponent of 2^52 is that much more than 2^52.
  const auto exponent = (bits >> 52) | 0x4330000000000000;
  const Bits mantissa = (bits & 0x000fffffffffffff) + root;
  Vec k;
  Vec m;
  std::memcpy(&k, &exponent, sizeof k);
  std::memcpy(&m, &mantissa, sizeof m);
  k -= 0x1p52 + 1023;
  // log m = 2 artanh((m - 1) / (m + 1)), error z^9 / 19 of it.
  const Vec s = (m - 1.) / (m + 1.);
  const Vec z = s * s;
  Vec p = z * (1. / 17) + 1. / 15;
  p = p * z + 1. / 13;
  p = p * z + 1. / 11;
  p = p * z + 1. / 9;
  p = p * z + 1. / 7;
  p = p * z + 1. / 5;
  p = p * z + 1. / 3;
  return k * 0x1.62e42fefa39efp-1 + (s + s) * (1. + z * p);
}

/// 1 / (1 + exp(-x)), any x.
inline Vec sigmoid(Vec x) {
  return 1. / (1. + exp(larger(smaller(-x, most_exponent), -most_exponent)));
}

/// log(1 + exp(x)), any x.
inline Vec softplus(Vec x) {
  const Vec size = smaller(x < 0. ? -x : x, most_exponent);
  return larger(x, 0) + log(1. + exp(-size));
}

}  // namespace
}  // namespace orrery::variational_em
