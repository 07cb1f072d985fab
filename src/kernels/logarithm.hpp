// The natural logarithm from plain operations in a fixed order, for scalars and vectors: the same
// bits from every instruction set and every C library, which std::log does not promise.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace orrery::kernels {

/// log x to about 1e-16 (1 ulp) for normal x > 0. Real is double and Word std::int64_t, or vectors
/// of as many of them. Reduction and polynomial are those of Sun's fdlibm (e_log.c).
template <class Real, class Word>
inline Real logarithm(Real x) {
  const Word bits = std::bit_cast<Word>(x) + (0x3ff0000000000000LL - 0x3fe6a09e667f3bcdLL);
  const Word exponent = (bits >> 52) - 0x3ff;
  const Word fraction =
      (bits & 0x000fffffffffffffLL) + 0x3fe6a09e667f3bcdLL;  // [sqrt(1/2), sqrt(2))
  // An integer as the low bits of 1.5 x 2^52: no conversion instruction is needed.
  constexpr double shift = 0x1.8p52;
  const Real k = std::bit_cast<Real>(exponent + std::bit_cast<std::int64_t>(shift)) - shift;
  const Real f = std::bit_cast<Real>(fraction) - 1.0;
  const Real s = f / (2.0 + f);
  const Real z = s * s;
  const Real w = z * z;
  const Real odd = w * (3.999999999940941908e-01 +
                        w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const Real even = z * (6.666666666666735130e-01 +
                         w * (2.857142874366239149e-01 +
                              w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const Real half = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 -
         ((half - (s * (half + (odd + even)) + k * 1.90821492927058770002e-10)) - f);
}

inline double logarithm(double x) { return logarithm<double, std::int64_t>(x); }

}  // namespace orrery::kernels
