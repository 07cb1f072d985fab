// Eight numbers side by side, in vectors of the width that an instruction set has: included once by
// a file that is compiled for one and sets ORRERY_LANES. Everything has internal linkage, so that
// no wide instruction leaks elsewhere. Eight lanes whatever the instruction set, in a fixed order,
// no fused multiply-adds: the same bytes everywhere.
#pragma once

#include <cstddef>

namespace orrery::model {
namespace {

typedef double Vector __attribute__((vector_size(ORRERY_LANES * sizeof(double))));
typedef long long Places __attribute__((vector_size(ORRERY_LANES * sizeof(long long))));
constexpr std::size_t n_vectors = 8 / ORRERY_LANES;

/// In as many vectors as the instruction set needs.
struct Lanes {
  Vector part[n_vectors];
};

inline const Lanes* lanes(const double* values) { return reinterpret_cast<const Lanes*>(values); }
inline Lanes* lanes(double* values) { return reinterpret_cast<Lanes*>(values); }

template <class Function>
inline Lanes each(const Function& function) {
  Lanes result;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n_vectors; ++i) result.part[i] = function(i);
  return result;
}
inline Lanes all(double x) {
  return each([&](std::size_t) { return Vector{} + x; });
}
inline Lanes operator+(const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return x.part[i] + y.part[i]; });
}
inline Lanes operator-(const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return x.part[i] - y.part[i]; });
}
inline Lanes operator*(const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return x.part[i] * y.part[i]; });
}
inline Lanes operator-(double x, const Lanes& y) {
  return each([&](std::size_t i) { return x - y.part[i]; });
}
inline Lanes operator*(double x, const Lanes& y) {
  return each([&](std::size_t i) { return x * y.part[i]; });
}
inline Lanes operator/(double x, const Lanes& y) {
  return each([&](std::size_t i) { return x / y.part[i]; });
}
inline void operator+=(Lanes& x, const Lanes& y) { x = x + y; }
inline void operator*=(Lanes& x, const Lanes& y) { x = x * y; }
inline double& lane(Lanes& x, std::size_t i) { return reinterpret_cast<double*>(&x)[i]; }

inline Vector larger(Vector x, Vector y) { return x > y ? x : y; }
inline Lanes larger(const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return larger(x.part[i], y.part[i]); });
}

inline Vector largest_part(const Lanes& x) {
  Vector most = x.part[0];
#pragma GCC unroll 4
  for (std::size_t i = 1; i < n_vectors; ++i) most = larger(most, x.part[i]);
  return most;
}
inline double largest(Vector x) {
#if ORRERY_LANES == 8
  x = larger(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
  x = larger(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
#elif ORRERY_LANES == 4
  x = larger(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
#endif
  return x[0] > x[1] ? x[0] : x[1];
}
inline double largest(const Lanes& x) { return largest(largest_part(x)); }

/// ((x0 x1) (x2 x3)) ((x4 x5) (x6 x7)).
inline double product(const Lanes& x) {
#if ORRERY_LANES == 8
  Vector y = x.part[0] * __builtin_shufflevector(x.part[0], x.part[0], 1, 0, 3, 2, 5, 4, 7, 6);
  y *= __builtin_shufflevector(y, y, 2, 3, 0, 1, 6, 7, 4, 5);
  return y[0] * y[4];
#elif ORRERY_LANES == 4
  const Lanes y = each([&](std::size_t i) {
    return x.part[i] * __builtin_shufflevector(x.part[i], x.part[i], 1, 0, 3, 2);
  });
  return (y.part[0][0] * y.part[0][2]) * (y.part[1][0] * y.part[1][2]);
#else
  const auto pair = [&](std::size_t i) { return x.part[i][0] * x.part[i][1]; };
  return (pair(0) * pair(1)) * (pair(2) * pair(3));
#endif
}

/// Those of the lanes whose number has all bits of `which`.
inline double sum(const Lanes& x, std::size_t which = 0) {
  double total = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    if ((i & which) == which) total += x.part[i / ORRERY_LANES][i % ORRERY_LANES];
  }
  return total;
}

/// e^x for x from -700 to 0, to 1e-15: 2^k times the Taylor series of the rest, which is at most
/// log(2) / 2 in size.
inline Vector exponential(Vector x) {
  // An integer as the low bits of 1.5 x 2^52: no conversion instruction is needed.
  constexpr double shift = 0x1.8p52;
  const Vector shifted = x * 1.44269504088896338700e+00 + shift;
  const Vector k = shifted - shift;
  const Vector r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  const Vector r2 = r * r;
  const Vector r4 = r2 * r2;
  const Vector low = (1 + r) + r2 * (1. / 2 + r * (1. / 6));
  const Vector middle = (1. / 24 + r * (1. / 120)) + r2 * (1. / 720 + r * (1. / 5040));
  const Vector high = (1. / 40320 + r * (1. / 362880)) + r2 * (1. / 3628800 + r * (1. / 39916800));
  const Vector last = 1. / 479001600 + r * (1. / 6227020800);
  const Vector series = low + r4 * (middle + r4 * (high + r4 * last));
  return reinterpret_cast<Vector>(reinterpret_cast<Places>(series) +
                                  (reinterpret_cast<Places>(shifted) << 52));
}

}  // namespace
}  // namespace orrery::model
