// The screen: is the third singular value of an unfolding above a threshold? One lane per quartet,
// single precision.
//
// With e1..e4 the elementary symmetric polynomials of the squared singular values of an unfolding M
// (sums of its squared 1x1 to 4x4 minors), the polynomial
//   (x + t)^4 - e1 (x + t)^3 + e2 (x + t)^2 - e3 (x + t) + e4
// has only real roots, so that its number of positive roots - of squared singular values above t -
// is exactly its number of sign changes (Descartes). Three or more: the third one exceeds t.
// About 190 operations an unfolding; a singular value decomposition costs thousands.
//
// These files may contract into fused multiply-adds: instruction sets then round differently, but
// only decisions that hold with room to spare are used (screen_limits), so that results agree.
#pragma once

#include <array>
#include <limits>

#include "families/noisy_or/quartet/scan/lanes.hpp"

namespace orrery::quartet {
namespace {

// Whole vectors are copied whatever n is: what stands behind lane size + n is overwritten next.
void append(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n) {
  for (std::size_t set = 0; set < 8; ++set) {
    double* without_d = batch.negative[set].data() + batch.size;
    double* with_d = batch.negative[set + 8].data() + batch.size;
    for (std::size_t i = 0; i < QuartetBatch::lanes; ++i) without_d[i] = rows.without_d[set];
    std::memcpy(with_d, rows.with_d[set] + d, QuartetBatch::lanes * sizeof(double));
  }
  batch.size += n;
}

inline Floats load_floats(const double* values) {
  WideDoubles wide;
  std::memcpy(&wide, values, sizeof wide);
  return __builtin_convertvector(wide, Floats);
}

inline Floats square_root(Floats x) {
  for (std::size_t i = 0; i < float_lanes; ++i) x[i] = __builtin_sqrtf(x[i]);
  return x;
}

inline Floats with_sign_of(Floats magnitude, Floats sign) {
  constexpr std::int32_t sign_bit = std::numeric_limits<std::int32_t>::min();
  return (Floats)((FloatMask)magnitude | ((FloatMask)sign & sign_bit));
}
// Moves a value by 1e-15, which no other is precise enough to notice.
inline Floats away_from_zero(Floats x) { return x + with_sign_of(Floats{} + 1e-15F, x); }

// E[product over S of x], where x is 1 if a variable is off and -1 if it is on, by
// inclusion-exclusion over subsets.
inline void signed_moments(const QuartetBatch& batch, std::size_t lane, Floats* moments) {
  for (std::size_t set = 0; set < 16; ++set) {
    moments[set] = load_floats(batch.negative[set].data() + lane);
  }
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) != 0) moments[set] = 2 * moments[set] - moments[set ^ bit];
    }
  }
}

// Reflects a column at the hyperplane that is orthogonal to `normal`, from row `first` on;
// scale = 2 / |normal|^2 (Householder 1958).
template <std::size_t first>
inline void reflect(const Floats* normal, Floats scale, Floats* column) {
  Floats share = normal[first] * column[first];
  for (std::size_t i = first + 1; i < 4; ++i) share += normal[i] * column[i];
  share *= scale;
  for (std::size_t i = first; i < 4; ++i) column[i] -= share * normal[i];
}

// e2 to e4 of an unfolding: sums of its squared minors.
struct MinorSums {
  Floats e2, e3, e4;
};

// Two reflections make the unfolding
//   r  s  w0 z0
//   0  q  w1 z1
//   0  0  w2 z2
//   0  0  w3 z3
// up to the sign of its rows. The columns are (none), x, d, xd; the rows (none), y1, y2, y1 y2.
template <std::size_t y1, std::size_t y2, std::size_t x>
inline MinorSums minor_sums(const Floats* moments) {
  const auto column = [&](std::size_t set, Floats* rows) {
    rows[0] = moments[set];
    rows[1] = moments[set + y1];
    rows[2] = moments[set + y2];
    rows[3] = moments[set + y1 + y2];
  };
  Floats u[4];
  Floats v[4];
  Floats w[4];
  Floats z[4];
  column(0, u);  // u[0] is 1
  column(x, v);
  column(8, w);
  column(8 + x, z);
  const Floats rr = 1 + (u[1] * u[1] + (u[2] * u[2] + u[3] * u[3]));
  const Floats r = square_root(rr);
  u[0] += r;
  const Floats scale = 1 / (rr + r);
  reflect<0>(u, scale, v);
  reflect<0>(u, scale, w);
  reflect<0>(u, scale, z);
  // The second one needs a normal even where the two columns are parallel.
  const Floats s = v[0];
  v[1] = away_from_zero(v[1]);
  const Floats qq = v[1] * v[1] + (v[2] * v[2] + v[3] * v[3]);
  const Floats q = with_sign_of(square_root(qq), v[1]);
  const Floats second = 1 / (qq + q * v[1]);
  v[1] += q;
  reflect<1>(v, second, w);
  reflect<1>(v, second, z);

  // Column x is now (s, -q, 0, 0): the sign of q counts where both of its entries do.
  const auto minor = [&](std::size_t i, std::size_t j) { return w[i] * z[j] - w[j] * z[i]; };
  const auto square = [](Floats value) { return value * value; };
  const Floats m23 = minor(2, 3);
  const Floats m02 = minor(0, 2);
  const Floats m03 = minor(0, 3);
  const Floats m12 = minor(1, 2);
  const Floats m13 = minor(1, 3);
  const Floats last = square(m23);
  const Floats below_first = last + (square(m12) + square(m13));
  const Floats low = (square(w[2]) + square(z[2])) + (square(w[3]) + square(z[3]));
  const Floats corner = rr * qq;
  const Floats ss = s * s + qq;  // of the second column
  // Minors of columns none, x; none, d or xd; x, d or xd; d, xd.
  const Floats e2 = (corner + rr * (low + (square(w[1]) + square(z[1])))) +
                    (ss * low + (square(s * w[1] + q * w[0]) + square(s * z[1] + q * z[0]))) +
                    (below_first + (square(minor(0, 1)) + (square(m02) + square(m03))));
  // Minors that leave out d or xd; x; none.
  const Floats e3 = (corner * low + rr * below_first) +
                    (ss * last + (square(s * m12 + q * m02) + square(s * m13 + q * m03)));
  return {e2, e3, corner * last};
}

// Bounds a limit: the coefficients of the shifted polynomial are sums of these parts, which all
// unfoldings share, and of multiples of e2 to e4.
struct Shifted {
  float t, t_t;
  Floats part2, part1, part0;

  // `limit` of squared singular values of a table of probabilities: signed moments are 4 times its
  // rotation.
  Shifted(float limit, Floats e1) : t(16 * limit), t_t(t * t) {
    part2 = 6 * t_t - 3 * t * e1;
    part1 = t_t * (4 * t - 3 * e1);
    part0 = t_t * t * (t - e1);
  }
};

// All ones where at least three squared singular values exceed t: sign changes of the coefficients
// 1, c3, c2, c1, c0 of the shifted polynomial. c3 < 0, since e1 >= 1 and t is far smaller.
inline FloatMask third_exceeds(const MinorSums& e, const Shifted& at) {
  const Floats c2 = at.part2 + e.e2;
  const Floats c1 = (at.part1 + 2 * at.t * e.e2) - e.e3;
  const Floats c0 = ((at.part0 + at.t_t * e.e2) - at.t * e.e3) + e.e4;
  return ((c2 > 0) & ((c1 < 0) | (c0 < 0))) | ((c2 <= 0) & (c1 > 0) & (c0 < 0));
}

// The constant f(0), f(1), ...: the compiler finds out by itself for no vector.
template <class Function>
constexpr std::array<std::int32_t, float_lanes> by_lane(Function f) {
  std::array<std::int32_t, float_lanes> values{};
  for (std::size_t i = 0; i < float_lanes; ++i) values[i] = f(static_cast<std::int32_t>(i));
  return values;
}
inline FloatMask constant(const std::array<std::int32_t, float_lanes>& values) {
  FloatMask vector;
  std::memcpy(&vector, values.data(), sizeof vector);
  return vector;
}

// The upper part of a vector of `2 * half` lanes upon its lower part.
template <std::size_t half>
inline FloatMask folded(FloatMask mask) {
  static constexpr auto others = by_lane([](std::int32_t i) {
    return (i + static_cast<std::int32_t>(half)) % static_cast<std::int32_t>(float_lanes);
  });
  return mask | __builtin_shuffle(mask, constant(others));
}

// The lanes of a mask as bits: every lane keeps its own, then halves are merged.
inline std::uint32_t lane_bits(FloatMask mask) {
  static constexpr auto own = by_lane([](std::int32_t i) { return std::int32_t{1} << i; });
  mask &= constant(own);
  if constexpr (float_lanes == 16) mask = folded<8>(mask);
  if constexpr (float_lanes >= 8) mask = folded<4>(mask);
  mask = folded<1>(folded<2>(mask));
  return static_cast<std::uint32_t>(mask[0]);
}

// Flattened: the vectors of its parts then stay in registers.
[[gnu::flatten]] ScreenResult screen(const QuartetBatch& batch, const ScreenLimits& limits) {
  // Without a bar below the threshold everything not rejected is kept: one limit decides.
  const bool two_sided = limits.keep < limits.reject;
  ScreenResult result;
  for (std::size_t lane = 0; lane < QuartetBatch::lanes; lane += float_lanes) {
    Floats moments[16];
    signed_moments(batch, lane, moments);
    Floats e1 = {};
    for (const Floats& moment : moments) e1 += moment * moment;
    const MinorSums sums[3] = {minor_sums<1, 2, 4>(moments), minor_sums<1, 4, 2>(moments),
                               minor_sums<2, 4, 1>(moments)};
    const auto above = [&](float limit) {
      const Shifted at(limit, e1);
      return third_exceeds(sums[0], at) | third_exceeds(sums[1], at) | third_exceeds(sums[2], at);
    };
    const FloatMask reject = above(limits.reject);
    result.rejected |= lane_bits(reject) << lane;
    if (!two_sided) continue;
    const FloatMask only_counted = above(limits.keep) & ~(reject | above(limits.accept));
    result.only_counted |= lane_bits(only_counted) << lane;
  }
  return result;
}

}  // namespace
}  // namespace orrery::quartet
